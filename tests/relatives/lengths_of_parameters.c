/* Arrays of variable length that are handed over, with pointers to rows. */
#include <stdio.h>
#include <stdlib.h>
static double total;
static void fill(int n, double (*w)[n], double v[n])
{
    for (int a = 0; a < n; a++) { v[a] += a; for (int b = 0; b < n; b++) w[a][b] += v[b]; }
}
static void work(int n)
{
    double w[n][n], v[n], (*p)[n] = w;
    for (int a = 0; a < n; a++) for (int b = 0; b < n; b++) w[a][b] = 0;
    for (int a = 0; a < n; a++) v[a] = 1;
    for (int i = 0; i < 40; i++) {
        fill(n, p, v);
        total += p[n - 1][n - 2] + sizeof w + sizeof *p;
    }
    printf("%g\n", w[1][1]);
}
int main(int argc, char **argv)
{
    work(argc + 6);
    printf("%g %d\n", total, argv == 0);
    return 0;
}
