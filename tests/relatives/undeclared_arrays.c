/* An array in a struct is given to a function that is defined in the old way and declared without parameters: as a pointer. */
#include <stdio.h>
#include <stdlib.h>

#define CAPS 2

struct all {
    double *speed[CAPS + 1];
    double *rest[CAPS + 1];
    double total;
    int length;
};

static struct all *made(int length)
{
    struct all *a = calloc(1, sizeof *a);
    int cap, i;

    a->length = length;
    for (cap = 1; cap <= CAPS; cap++) {
        a->speed[cap] = malloc(length * sizeof(double));
        a->rest[cap] = malloc(length * sizeof(double));
        for (i = 0; i < length; i++) {
            a->speed[cap][i] = cap + 0.01 * i;
            a->rest[cap][i] = 1.0;
        }
    }
    return a;
}

static double residual(struct all *a)
{
    int solve();
    double left;

    left = 0.125 * solve(a, a->speed, a->rest, 300);
    return left + a->total;
}

int main(void)
{
    struct all *a = made(40);
    double left = residual(a);
    int cap;

    for (cap = 1; cap <= CAPS; cap++)
        printf("%d %.17g %.17g\n", cap, a->speed[cap][3], a->rest[cap][39]);
    printf("%.17g\n", left);
    return 0;
}

int solve(a, d, f, passes)
struct all *a;
double **d;
double **f;
int passes;
{
    int pass, cap, i;

    for (pass = 0; pass < passes; pass++) {
        for (cap = 1; cap <= CAPS; cap++)
            for (i = 1; i < a->length - 1; i++) {
                f[cap][i] = 0.5 * f[cap][i] + d[cap][i - 1] * 0.25;
                d[cap][i] += 0.01 * (f[cap][i + 1] - d[cap][i]);
            }
        a->total += d[1][1];
    }
    return pass;
}
