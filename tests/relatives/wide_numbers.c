/* Numbers of 128 bits: a random number generator's state in allocated structs, a sum, a pointer to one, a quadruple. */
#include <stdio.h>
#include <stdlib.h>

struct generator {
    unsigned __int128 state, increment;
    int used;
};

static __float128 mean;

static struct generator *make(int count)
{
    struct generator *all = malloc(count * sizeof *all);

    for (int i = 0; i < count; i++) {
        all[i].state = i + 1;
        all[i].increment = 2 * i + 1;
        all[i].used = 0;
    }
    return all;
}

static unsigned long next(struct generator *one)
{
    one->state = one->state * 6364136223846793005ull + one->increment;
    one->used++;
    return one->state >> 64;
}

int main(void)
{
    int count = 8;
    struct generator *all = make(count);
    __int128 best = 0, *where = &best;
    __uint128_t sum = 0;

    for (int step = 0; step < 12; step++) {
        for (int k = 0; k < 2000; k++) {
            unsigned long value = next(&all[k % count]);

            sum += value;
            mean = mean * 0.75 + (__float128)value / 3;
            if ((__int128)value > *where)
                *where = value;
        }
        printf("%d %llx\n", step, (unsigned long long)sum);
    }
    printf("%llx %llx %d %.17g\n", (unsigned long long)best, (unsigned long long)(sum >> 64), all[3].used, (double)mean);
    mean -= (double)mean;
    printf("%.17g\n", (double)mean);
    free(all);
    return 0;
}
