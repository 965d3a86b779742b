/* refused: `u` points before the memory that it belongs to | `w` points before the memory that it belongs to
   | register(u[…:…]) */
#include <stdio.h>
#include <stdlib.h>

static double *vector(int low, int high)
{
    double *v = malloc((high - low + 1) * sizeof *v);
    return v - low;
}

int main(void)
{
    int i, n = 9;
    double *b = malloc(n * sizeof *b), *c, *u, *w;
#pragma cccp init
    c = vector(1, n);
    u = b - 1;
    w = c;
    for (int k = 1; k <= n; k++)
        u[k] = w[k] = k;
#ifdef CURED
#pragma cccp register(i, n, u[1:n], w[1:n])
#else
#pragma cccp register(i, n, b[n], c[1:n], u, w)
#endif
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        for (int k = 1; k <= n; k++) {
            u[k] += i * 0.5;
            w[k] += u[k];
        }
    }
    printf("%g %g\n", u[n], w[n]);
#pragma cccp shutdown
    return 0;
}
