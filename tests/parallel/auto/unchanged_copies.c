/* Copies that threads have of variables which nobody changes: each begins as its clause says, also where a restart goes on. */
#include <omp.h>
#include <stdio.h>

static unsigned field[48];

int main(void)
{
    unsigned sum = 71u, product = 5u, first = 9u, outside = 3u;
#pragma omp parallel reduction(+ : sum) reduction(* : product) firstprivate(first)
    {
        unsigned inside = 11u;
        for (int step = 0; step < 20; step++) {
#pragma omp for
            for (int i = 0; i < 48; i++)
                field[i] += first + outside + inside;
        }
    }
    printf("%u %u %u %u %u\n", sum, product, first, outside, field[7]);
    return 0;
}
