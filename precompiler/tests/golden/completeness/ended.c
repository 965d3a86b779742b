/* What a block reads has a register before it, which does not bring it: it ends with the function, or another one takes its place. */
#include <stdio.h>
#include <stdlib.h>

static int n, m, k;
static double *u;

static void read_sizes(const char *name)
{
    char line[80];
    FILE *f = fopen(name, "r");

    if (fgets(line, sizeof line, f)) {
#pragma cccp register(line)
#pragma cccp execute on restart
        sscanf(line, "%d %d", &n, &m);
#pragma cccp end execute
    }
    fclose(f);
}

static void work(const char *name)
{
    int sizes[2];
    FILE *f = fopen(name, "r");

    fscanf(f, "%d %d", &sizes[0], &sizes[1]);
    fclose(f);
    /* This one is there: its function is not over at the checkpoint. */
#pragma cccp register(sizes)
#pragma cccp execute on restart
    k = sizes[1];
#pragma cccp end execute
    for (int i = 0; i < 10; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint
        u[i % n] += k;
    }
}

int main(int argc, char **argv)
{
#pragma cccp init
    int more[2];
    FILE *f = fopen(argv[1], "r");

    fscanf(f, "%d %d", &more[0], &more[1]);
    fclose(f);
    read_sizes(argv[1]);
#pragma cccp register(more)
#pragma cccp execute on restart
    m = more[1];
#pragma cccp end execute
#pragma cccp register(more)
    u = calloc(n, sizeof *u);
#pragma cccp register(u[n])
    work(argv[1]);
    printf("%g %d\n", u[0], m);
#pragma cccp shutdown
    return argc == 9;
}
