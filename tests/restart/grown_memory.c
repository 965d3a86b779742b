/* Memory from before init that grows and changes hands later: on restart the pointers have the small memory again,
 * and a name that two directives of a function register is one register. */
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int n = 10, m = 3000, step;
    double *a = malloc(n * sizeof *a), *b = malloc(m * sizeof *b);
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = 0; i < m; i++) b[i] = -i;
#pragma cccp init
#pragma cccp register(n, m, step, a[n], b[m])
    for (step = 0; step < 12; step++) {
        double *t = a; int k = n;
        a = b; n = m; b = t; m = k;
        n += 100; a = realloc(a, n * sizeof *a);
        for (int i = n - 100; i < n; i++) a[i] = step;
#pragma cccp register(a[n], b[m])
#pragma cccp checkpoint
        double s = 0; for (int i = 0; i < n; i++) s += a[i] * step; for (int i = 0; i < m; i++) s -= b[i];
        printf("%d %d %d %g\n", step, n, m, s);
    }
    free(a); free(b);
#pragma cccp shutdown
    return 0;
}
