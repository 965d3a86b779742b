// auto resumes 3 20
// hand resumes 3 20
// assumes nothing
/* Local pointers whose address is taken: a restart jumps behind what sets them and finds there what the stack held before. Their
 * memory is that of the checkpoint all the same, and nothing of the process is overwritten. */
#include <stdio.h>
#include <stdlib.h>

static void make(double **block, int n)
{
    *block = calloc(n, sizeof **block);
}

static double advance(int n)
{
    double *a[8], *b, *c, sum = 0;
    struct { double *u; int n; } first, second;
    for (int k = 0; k < 8; k++)
        make(&a[k], n);
    make(&b, n);
    make(&c, n);
    make(&first.u, n);
    make(&second.u, n);
    first.n = second.n = n;
#pragma cccp register(sum, first, second, b[n], c[n], first.u[n], second.u[n], follow(a))
    for (int step = 0; step < 30; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
        for (int i = 0; i < first.n; i++) {
            b[i] += step * 0.5 + i;
            c[i] += b[i] * 0.25;
            first.u[i] += c[i];
            second.u[i] += first.u[i] - b[i];
            a[step % 8][i] += second.u[i];
            sum += a[i % 8][i];
        }
    }
    return sum;
}

int main(void)
{
#pragma cccp init
    printf("%.17g\n", advance(40));
#pragma cccp shutdown
    return 0;
}
