/* Structs that each thread has, with pointers into themselves. */
#include <omp.h>
#include <stdio.h>

struct record {
    unsigned value, *to;
    unsigned char small;
};

static unsigned field[48], each[64];

int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        struct record one = {1u, NULL, 1}, two = {2u, NULL, 1}, three = {3u, NULL, 1}, four = {4u, NULL, 1};
        one.to = &one.value;
        two.to = &two.value;
        three.to = &three.value;
        four.to = &four.value;
        for (int step = 0; step < 20; step++) {
#pragma omp for
            for (int i = 0; i < 48; i++)
                field[i] = field[i] * 3u + (unsigned)i;
            *one.to += (unsigned)me;
            *two.to += *one.to;
            *three.to += field[*two.to % 48u];
            four.value ^= *three.to;
            four.small++;
#pragma omp barrier
        }
        each[me] = *one.to + *two.to * 3u + *three.to * 5u + *four.to * 7u + four.small;
    }
    unsigned result = 0;
    for (int i = 0; i < 64; i++)
        result = result * 31u + each[i] + field[i % 48];
    printf("%u\n", result);
    return 0;
}
