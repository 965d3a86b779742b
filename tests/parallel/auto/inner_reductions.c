/* Sums of inner regions, in variables that live for one step only. */
#include <omp.h>
#include <stdio.h>

static unsigned field[48];

int main(void)
{
    unsigned total = 0;
    for (int step = 0; step < 20; step++) {
        unsigned one = 0, two = 0, three = 0, four = 0;
#pragma omp parallel reduction(+ : one)
        one += 7u;
#pragma omp parallel reduction(+ : two)
        if (step % 2)
            two += 3u;
#pragma omp parallel reduction(+ : three)
        {
            {
                three += 2u;
            }
        }
#pragma omp parallel reduction(+ : four)
        {
#pragma omp barrier
            four += 5u;
        }
        for (int i = 0; i < 48; i++)
            field[i] += one % 7u + two % 3u + three % 2u + four % 5u + (unsigned)(i * step);
        total += one + two + three + four;
    }
    printf("%u %u\n", total, field[7]);
    return 0;
}
