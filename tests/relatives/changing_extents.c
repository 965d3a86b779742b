/* Arrays of variable length whose extents mean something else where the checkpoint is. */
#include <stdio.h>
#include <stdlib.h>
static int n = 3, cols = 2;
static double total;
typedef struct { int n; double *v; } vec;
static double sumup(int n, double w[n], int (*m)[cols])
{
    double s = 0;
    for (int i = 0; i < n; i++) { s += w[i]; m[0][i % cols] += i; }
    {
        int n = 100, cols = 50;
        for (int i = 0; i < 5; i++) { s += w[i % 3] + n + cols; w[i % 3] += 1; n++; cols--; }
    }
    return s;
}
static double work(int n)
{
    double w[n + 2];
    int m[n][cols];
     
    vec v = { n, malloc(n * sizeof(double)) };
    for (int i = 0; i < n + 2; i++) w[i] = i;
    for (int i = 0; i < n; i++) { v.v[i] = i; for (int k = 0; k < cols; k++) m[i][k] = i + k; }
    {
        int n = 77, cols = 9;
        int r[4] = {0};
        for (int i = 0; i < sizeof r / sizeof r[0]; i++) r[i] = i;
        for (int step = 0; step < 30; step++) {
            double cols = 0.5;
            total += sumup(sizeof w / sizeof w[0], w, m) + v.v[step % v.n] + r[step % (sizeof r / sizeof *r)] + cols + n;
            v.v[step % v.n] += n++; r[0]++;
        }
        total += cols;
    }
    return w[1] + m[1][1];
}
int main(void)
{
    double w = work(n + 4);
    printf("%g %g %d\n", w, total, n);
    return 0;
}
