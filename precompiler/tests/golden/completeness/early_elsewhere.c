/* Memory from before `init` that a function registers. */
#include <stdio.h>
#include <stdlib.h>

static int size;
static int *used;

static void start(int n)
{
    size = n;
    used = calloc(size, sizeof *used);
}

static void keep(void)
{
#pragma cccp register(used[])
}

int main(int argc, char **argv)
{
    (void)argv;
    start(argc + 3);
#pragma cccp init
    keep();
    for (int it = 0; it < 100; it++) {
#pragma cccp register(it)
/* should: used[…] held */
#pragma cccp checkpoint
        used[it % size]++;
    }
    printf("%d\n", used[1]);
#pragma cccp shutdown
    return 0;
}
