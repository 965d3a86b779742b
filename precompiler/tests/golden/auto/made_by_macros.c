/* A macro makes the first statement that does something: `init` goes in front of the declaration before it. */
#include <stdio.h>
#include <stdlib.h>

#define ARRAY(name, count) double *name; name = malloc((count) * sizeof *name);

static void relax(double *u, int n)
{
    for (int t = 0; t < 1000; t++) /* before: register(t) */
        for (int i = 1; i < n - 1; i++)
            u[i] = 0.25 * (u[i - 1] + 2.0 * u[i] + u[i + 1]);
}

int main(void)
{
    int n = 1000; /* before: init */
    ARRAY(u, n)
    for (int i = 0; i < n; i++)
        u[i] = i % 7;
    relax(u, n);
    printf("%g\n", u[n / 2]);
    return 0;
}
