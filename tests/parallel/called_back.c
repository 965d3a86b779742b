/* Each thread counts what a library calls back, in memory of its own, and the counts say how often it passes the checkpoint. */
#define _GNU_SOURCE
#include <omp.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

struct count {
    int compared, left;
};
struct order {
    int (*by)(const void *, const void *, void *);
};
static int all[800];
static struct order order;

static int by(const void *a, const void *b, void *what)
{
    const int *x = a, *y = b;
    struct count *count = what;
    count->compared += 1 + (*x & 1);
    return (*x > *y) - (*x < *y);
}

#if defined(KEPT)
static void sort(int *own, struct count *mine)
{
    static int (*kept)(const void *, const void *, void *);
    if (!kept)
        kept = order.by;
    qsort_r(own, 100, sizeof *own, kept, mine);
}
#elif defined(GIVEN)
#define sort(own, mine) qsort_r(own, 100, sizeof *all, by, mine)
#else
#define sort(own, mine) qsort_r(own, 100, sizeof *all, order.by, mine)
#endif

int main(void)
{
    order.by = by;
    for (int i = 0; i < 800; i++)
        all[i] = i < 100 ? i * 37 % 101 : i;
#pragma omp parallel num_threads(2)
    {
        struct count mine = {0, 1};
        for (int step = 0; mine.left >= 0; step++) {
            sort(all + 100 * omp_get_thread_num(), &mine);
            mine.left = 5000 - mine.compared;
        }
#pragma omp critical
        printf("%d\n", mine.compared);
    }
    return 0;
}
