/* OpenMP: what every thread has of its own lives on in the others when one thread overwrites it. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void set(int *where, int value)
{
    *where = value;
}

/* Several threads are in it, though the construct that divides them is not in its text. */
static int orphaned(int n)
{
    int one = n, first = n, every = n, all = n;
    /* must: one live, first live; should: every dead, all dead */
#pragma cccp checkpoint
#pragma omp single
    one = 3;
#pragma omp master
    {
        int inner = n;
        first = inner;
    }
#pragma omp critical
    every = 4;
    all = 5;
    return one + first + every + all;
}

static int through_a_pointer(int n)
{
    int mine = n;
    set(&mine, n + 1);
    /* must: mine live */
#pragma cccp checkpoint
#pragma omp single
    set(&mine, n + 2);
    return mine;
}

static int cured(int n)
{
    int before = n;
    /* must: n live; should: before dead */
#pragma cccp checkpoint
    before = n + 2;
#pragma omp single
    before = n + 3;
    return before;
}

int main(int argc, char **argv)
{
    int shared = argc, listed = argc, first = argc, last = 0, given = argc, i, n = argc + 3;
    double sum = 0;
    /* should: listed dead */
#pragma cccp checkpoint
    listed = 1;
#pragma omp parallel private(listed, i) firstprivate(first) reduction(+ : sum) num_threads(n)
    {
        int id = omp_get_thread_num(), part = id, share = id, job = id, filled[4] = {id, id, id, id};
        int *block = malloc(sizeof *block);
        *block = id;
        listed = id;
        /* must: listed live, part live, share live, job live, first live, block live, id live, sum live, filled live, heap@62 live */
        /* should: shared dead */
#pragma cccp checkpoint
#pragma omp single
        {
            shared = 7;
            listed = 8;
            *block = 9;
        }
#pragma omp sections
        {
#pragma omp section
            part = 1;
#pragma omp section
            first = 2;
        }
#pragma omp for schedule(static) nowait
        for (i = 0; i < 4; i++) {
            filled[i] = i;
            share = i;
        }
#pragma omp single
        {
#pragma omp task
            job = 2;
        }
        sum += orphaned(share) + through_a_pointer(id) + cured(id);
        printf("%d %d %d %d %d %d %d\n", shared, listed, part, share, job, first, *block + filled[1]);
        free(block);
    }
#pragma omp parallel firstprivate(given)
    {
        /* must: given live */
#pragma cccp checkpoint
        set(&given, 5);
        printf("%d\n", given);
    }
    printf("%d %d %g %d\n", listed, first, sum, given);
    return last;
}
