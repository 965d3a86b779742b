/* Copies that threads have of variables at file scope and of static locals: each thread goes on with its own in a restart. */
#include <omp.h>
#include <stdio.h>

unsigned sum = 7u, scratch;
static unsigned kept[4] = {1u, 2u, 3u, 4u}, *at = kept;
static unsigned seen[4];

static unsigned outside(void) { return kept[1]; }

int main(void)
{
    static unsigned own = 5u;
    unsigned target = 3u;
#pragma omp parallel reduction(+ : sum) private(scratch) firstprivate(kept, own, at) num_threads(4)
    {
        unsigned me = (unsigned)omp_get_thread_num();
        scratch = me;
        at = me % 2 ? &kept[2] : &seen[me];
        for (int step = 0; step < 25; step++) {
            unsigned doubled = scratch * 2u;
            scratch += me + own;
            own += doubled % 3u;
            kept[step % 4] += own + outside();
            *at += scratch;
            sum += scratch + kept[step % 4];
        }
        seen[me] += kept[2] + own;
    }
    printf("%u %u %u %u %u\n", sum, outside(), kept[2], own, target);
    printf("%u %u %u %u\n", seen[0], seen[1], seen[2], seen[3]);
    return 0;
}
