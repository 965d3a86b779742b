/* Arrays of constant pointers, set where they are declared: their elements are restored like those of any other array. */
#include <stdio.h>
#include <stdlib.h>
enum { SIDES = 2 };

static double *row(int n, double first)
{
    double *made = malloc(n * sizeof *made);

    if (made == NULL)
        exit(1);
    for (int i = 0; i < n; i++)
        made[i] = first + i;
    return made;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 40;
    double * const sides[SIDES * 1] = {row(n, 0), row(2 * n, 1)};
    const double * const fixed[2][1] = {{row(n, 2)}, {row(n, 3)}};
    double *const single = row(n, 4);

    for (int step = 0; step < 60; step++) {
        double *from = sides[step % 2], *to = sides[1 - step % 2];
        for (int i = 1; i < n - 1; i++)
            to[i] = 0.5 * (from[i - 1] + from[i + 1]) + fixed[step % 2][0][i] * single[i];
        single[step % n] *= 0.99;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 0.9 + sides[0][i] - sides[1][i];
    printf("%.17g\n", sum);
    free(sides[0]);
    free(sides[1]);
    free(single);
    return 0;
}
