/* Locks in structs on the heap, of which one is taken and another one given back by the same text: only the run knows that. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    long value;
    omp_lock_t lock;
    omp_nest_lock_t nested;
};

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "none";
    struct cell *cells = NULL;
    long sum = 0;
#pragma cccp init
    cells = calloc(8, sizeof *cells);
    if (cells == NULL)
        return 1;
    for (int i = 0; i < 6; i++) {
        omp_init_lock(&cells[i].lock);
        omp_init_nest_lock(&cells[i].nested);
    }
#pragma cccp register(cells[], sum)
    for (int step = 0; step < 5; step++) {
#pragma cccp register(step)
        int k = 3;
        if (strcmp(which, "simple") == 0 && step == 0) {
            omp_set_lock(&cells[k].lock);
            k++;
            omp_unset_lock(&cells[k].lock);
        }
        if (strcmp(which, "nested") == 0 && step == 0) {
            omp_set_nest_lock(&cells[k].nested);
            omp_set_nest_lock(&cells[k].nested);
            omp_unset_nest_lock(&cells[k].nested);
            k = 2;
        }
#pragma cccp checkpoint
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 8; i++)
            sum += cells[i].value += step + 1;
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
