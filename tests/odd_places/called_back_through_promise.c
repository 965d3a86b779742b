/* A function of another file is said to have marks, and has none: it calls back.
   told: compare ( */
#include <stdio.h>
#include <stdlib.h>

#pragma cccp client(qsort)

static int v[8] = {5, 2, 9, 1, 7, 3, 8, 4}, calls, step;

static int compare(const void *a, const void *b)
{
    calls++;
#pragma cccp checkpoint
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
#pragma cccp init
#pragma cccp register(v, calls, step)
    for (step = 0; step < 4; step++) {
#pragma cccp checkpoint
        qsort(v, 8, sizeof v[0], compare);
        for (int i = 0; i < 8; i++) {
            printf("%d ", v[i]);
            v[i] = (v[i] * 7 + step) % 11;
        }
        printf("%d\n", calls);
    }
#pragma cccp shutdown
    return 0;
}
