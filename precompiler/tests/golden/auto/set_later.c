/* What `main` cannot name is registered right after `init`, when the pointers on the way to it are not set yet. */
#include <stdio.h>
#include <stdlib.h>

void start(int n);
double step(void);

int main(void)
{
    double sum = 0;

    start(100);
    for (int i = 0; i < 50; i++) /* before: register(sum) checkpoint */
        for (int k = 0; k < 100; k++)
            sum += step();
    printf("%.9g\n", sum);
    return 0;
}

struct grid {
    int n;
    double *u;
};
static struct grid *grid;

void start(int n)
{
    grid = malloc(sizeof *grid);
    grid->n = n;
    grid->u = calloc(n, sizeof *grid->u);
}

double step(void)
{
    double sum = 0;

    for (int i = 0; i < grid->n; i++) {
        grid->u[i] += 1e-3 * i;
        sum += grid->u[i];
    }
    return sum;
}
