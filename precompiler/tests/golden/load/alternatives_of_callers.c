/* A function that is called in two places chooses what it does; another mode of the program would do more. */
#include <stdio.h>
#include <stdlib.h>

static double u[2000], d[300];
static float f[300];
static int is_single;

static void relax_double(void)
{
    for (int step = 0; step < 300; step++) /* also worth a checkpoint */
        for (int i = 1; i < 299; i++)
            d[i] += 0.1 * (d[i - 1] - 2 * d[i] + d[i + 1]);
}

static void relax_single(void)
{
    for (int step = 0; step < 400; step++) /* also worth a checkpoint */
        for (int i = 1; i < 299; i++)
            f[i] += 0.1f * (f[i - 1] - 2 * f[i] + f[i + 1]);
}

static void relax(void)
{
    if (is_single)
        relax_single();
    else
        relax_double();
}

static void scan(void)
{
    for (int step = 0; step < 9000; step++) /* selected */
        for (int i = 1; i < 1999; i++)
            u[i] += 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

int main(int argc, char **argv)
{
    is_single = atoi(argv[2]);
    if (atoi(argv[1])) {
        scan();
    } else {
        relax();
        d[7] += 1;
        f[7] += 1;
        relax();
    }
    printf("%g %g %g\n", u[77], d[77], f[77]);
    return 0;
}
