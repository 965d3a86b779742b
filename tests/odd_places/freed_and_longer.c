/* Memory of an item is freed, and a longer block begins there: the item is not too short.
   may be told: leaves out a part of its block */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
#pragma cccp init
    int i, n = 250;
    double sum = 0;
    double *p = malloc(n * sizeof *p), *r = malloc(n * sizeof *r), *guard = malloc(n * sizeof *guard);
    for (int k = 0; k < n; k++)
        p[k] = r[k] = guard[k] = k;
#pragma cccp register(i, n, sum, p[n], r[n])
    for (i = 0; i < 6; i++) {
#pragma cccp checkpoint
        if (i < 2)
            sum += p[i] += 1;
        if (i == 2) {
            free(p);
            free(r);
            r = NULL;
            double *longer = malloc(2 * n * sizeof *longer);
            for (int k = 0; k < 2 * n; k++)
                longer[k] = k;
            sum += longer[2 * n - 1];
        }
    }
    printf("%g\n", sum);
#pragma cccp shutdown
    return 0;
}
