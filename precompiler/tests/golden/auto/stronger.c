/* One item per name in a function: what the first round takes for a block of pointers has to be followed, and the register in
   the loop would take that away again. */
#include <stdio.h>
#include <stdlib.h>

static double **rows(int n)
{
    double **p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = calloc(n, sizeof **p);
    return p;
}

int main(int argc, char **argv)
{
    int n = 10, steps = argc > 1 ? atoi(argv[1]) : 120;
    double **u = rows(n), **v = rows(n);
    u[5][5] = 100;
    int step = 0;
    do { /* before: register(step, steps, follow(u), follow(v)) */
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = u[i][j] + 0.1 * (u[i - 1][j] + u[i + 1][j]);
        double **t = u;
        u = v;
        v = t;
    } while (++step < steps);
    printf("%.15g\n", u[3][4]);
    return 0;
}
