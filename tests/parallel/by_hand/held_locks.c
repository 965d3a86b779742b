/* Locks that threads hold at their checkpoints: one for all, a nestable one, and one of each thread in a struct on the heap. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct cell {
    long value;
    omp_lock_t lock;
};

static omp_lock_t guard;
static omp_nest_lock_t nested;
static long total, depth, wrong;

int main(void)
{
    struct cell *cells = NULL;
    int all = omp_get_max_threads();
#pragma cccp init
    cells = calloc(all, sizeof *cells);
    if (cells == NULL)
        return 1;
#pragma cccp register(total, depth, wrong, guard, nested, all, cells[all])
    omp_init_lock(&guard);
    omp_init_nest_lock(&nested);
    for (int i = 0; i < all; i++)
        omp_init_lock(&cells[i].lock);
#pragma omp parallel
    {
        int me = omp_get_thread_num(), step = 0;
        long seen = 0;
#pragma cccp register(me, step, seen)
        omp_set_lock(&cells[me].lock);
#pragma omp barrier
        for (step = 0; step < 20; step++) {
            omp_set_lock(&guard);
            seen = total;
#pragma cccp checkpoint
            total = seen + (step + 1) * (me + 1);
            omp_unset_lock(&guard);
            cells[me].value += step;
            if (step % 3 == me % 3) {
                omp_set_nest_lock(&nested);
                omp_set_nest_lock(&nested);
                seen = depth;
#pragma cccp checkpoint
                if (omp_test_nest_lock(&nested) == 3)
                    depth = seen + 1;
                omp_unset_nest_lock(&nested);
                omp_unset_nest_lock(&nested);
                omp_unset_nest_lock(&nested);
            }
            if (omp_test_lock(&cells[(me + 1) % all].lock)) {
                /* It is held by its thread until the end. */
#pragma omp atomic
                wrong++;
                omp_unset_lock(&cells[(me + 1) % all].lock);
            }
        }
#pragma omp barrier
        omp_unset_lock(&cells[me].lock);
    }
    long sum = 0;
    for (int i = 0; i < all; i++)
        sum += cells[i].value;
    printf("%ld %ld %ld %ld\n", total, depth, wrong, sum);
#pragma cccp shutdown
    return 0;
}
