// auto resumes 3 17
// assumes `gadget_draw`, which is in no file given, keeps nothing of its own that a restart would need, and changes nothing but what it is handed without `const`
// flags -isystem HERE
// beside unknown_library_part.c
/* A library that nobody knows, with variables of its own that the program reads. The program's variables have external linkage: the
   library does not know their names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unknown_library_part.h>

extern char **environ;

struct grid {
    int n;
    double *u;
    char name[32];
    struct grid *next;
};

double *sums;
struct grid *first;

void add(struct grid *grid, int step)
{
    for (int i = 0; i < grid->n; i++)
        grid->u[i] += gadget_scale * step + gadget_default.rows[i & 1];
}

int main(void)
{
    double picture[4] = {0};
    sums = calloc(20, sizeof *sums);
    first = calloc(1, sizeof *first);
    if (!sums || !first || !(first->u = calloc(8, sizeof(double))))
        return 1;
    first->n = 8;
    strcpy(first->name, "one");
    for (int step = 0; step < 20; step++) {
        add(first, step);
        sums[step] = first->u[step % 8] + picture[step % 4] + (environ != NULL);
        if (step % 5 == 0)
            gadget_draw(first->name, picture, 4);
        picture[step % 4] += *gadget_status + 1;
    }
    double sum = 0;
    for (int i = 0; i < 20; i++)
        sum += sums[i];
    fprintf(stdout, "%.17g %s %d\n", sum, first->name, gadget_default.level);
    return 0;
}
