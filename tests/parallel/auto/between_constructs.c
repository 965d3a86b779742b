/* Work of sections, ordered loops and loops of tasks between the steps of one region: a checkpoint of each step. */
#include <omp.h>
#include <stdio.h>

#define N 64

static unsigned a[N], b[N], history;

int main(void)
{
    unsigned last = 0u, sum = 0u;
    int steps = 40;
#pragma omp parallel default(none) shared(a, b, history, last, sum, steps) proc_bind(close) num_threads(4)
    {
        for (int step = 0; step < steps; step++) {
#pragma omp sections lastprivate(last) reduction(+ : sum)
            {
#pragma omp section
                {
                    for (int i = 0; i < N; i++)
                        a[i] = a[i] * 3u + (unsigned)step;
                    sum += a[5];
                }
#pragma omp section
                {
                    for (int i = 0; i < N; i++)
                        b[i] = b[i] * 5u + (unsigned)step;
                    last = b[7];
                    sum += b[3];
                }
            }
#pragma omp for ordered schedule(static, 3)
            for (int i = 0; i < N; i++) {
                unsigned mine = a[i] ^ b[i];
#pragma omp ordered
                history = history * 31u + mine;
            }
#pragma omp single
            {
#pragma omp taskloop grainsize(8)
                for (int i = 0; i < N; i++)
                    a[i] += history % 7u + last % 3u;
            }
        }
    }
    printf("%u %u %u %u %u\n", last, sum, history, a[9], b[40]);
    return 0;
}
