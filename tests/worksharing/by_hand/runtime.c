/* Loops with `schedule(runtime)`: what the program has set decides how threads share them out, at each loop. With static shares each
   thread has the iterations that it has in the plain program; chunks that threads set in a region libomp takes for whole shares. */
#include <omp.h>
#include <stdio.h>

static unsigned field[70], of[70], sum;

static void set(int step)
{
    const omp_sched_t kinds[5] = {omp_sched_static, omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
    omp_set_schedule(kinds[step % 5], step % 5 == 0 ? 0 : 1 + step % 4);
}

int main(void)
{
    int step;
#pragma cccp init
#pragma cccp register(field, of, sum)
    for (step = 0; step < 6; step++) {
        set(step);
#pragma cccp register(step)
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
        for (int i = 0; i < 67; i++) {
#pragma cccp register(i, sum)
#pragma cccp checkpoint
            field[i] += (unsigned)(i * step);
            if (step % 5 < 2)
                of[i] = of[i] * 5u + (unsigned)omp_get_thread_num();
            sum += field[i] % 7u;
        }
    }
#pragma omp parallel
    {
        for (int step = 0; step < 6; step++) {
#pragma cccp register(step)
            set(step);
#pragma omp barrier
#pragma omp for schedule(runtime) reduction(+ : sum) nowait
            for (int i = 69; i > 0; i -= 2) {
#pragma cccp register(i, sum)
#pragma cccp checkpoint
                if (step % 5 == 0)
                    of[i] = of[i] * 3u + (unsigned)omp_get_thread_num();
                sum += field[i] % 5u;
            }
#pragma omp barrier
        }
    }
    for (int i = 0; i < 70; i++)
        sum = sum * 31u + field[i] + 7u * of[i];
    printf("%u\n", sum);
#pragma cccp shutdown
    return 0;
}
