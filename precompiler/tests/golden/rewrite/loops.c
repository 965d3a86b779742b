#include <stdlib.h>
/* Checkpoints at the begin, in the middle and at the end of loops, and counters of loops in loops. */
static double total;
static void setup(double *u, int n)
{
#pragma cccp register(u[n])
    for (int i = 0; i < n; i++)
        u[i] = i;
}
int main(void)
{
    int n = 10, i, j;
#pragma cccp init
    double *u = malloc(sizeof *u * n);
#pragma cccp register(n, i, j, total, u[n])
    setup(u, n);
    for (i = 0; i < n; i++) {
#pragma cccp checkpoint every(n) if(total >= 0) name(begin)
        total += u[i];
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            total += u[j];
#pragma cccp register(total)
#pragma cccp checkpoint
            total *= 0.5;
        }
    while (total > 1) {
        total *= 0.5;
#pragma cccp checkpoint
    }
    for (int k = 0; k < 3; k++) {
        total += k;
#pragma cccp register(k)
#pragma cccp checkpoint
    }
#pragma cccp unregister(total)
#pragma cccp shutdown
    free(u);
    return 0;
}
