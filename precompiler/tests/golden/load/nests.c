/* A time loop that contains everything, around it what does little. */
#include <stdio.h>
#include <stdlib.h>

static void relax(double *u, int n)
{
    for (int i = 1; i + 1 < n; i++) /* not selected */
        u[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
}

static int main_loop_of_gotos(double *u, int n)
{
    int again = 0;
next: /* not selected */
    relax(u, n);
    if (++again < 3)
        goto next;
    return again;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100, steps = argc > 2 ? atoi(argv[2]) : 100;
    double *u = calloc(n, sizeof *u);
    long total = 0;

    for (int i = 1; i < argc; i++) /* not selected */
        printf("%s\n", argv[i]);
    for (int i = 0; i < n; i++) /* not selected */
        u[i] = i;
    for (int twice = 0; twice < 2; twice++) { /* excluded: it iterates twice */
        for (int step = 0; step < steps; step++) { /* selected */
            do { /* one */
                relax(u, n);
            } while (0);
            for (int i = 0; i < n; i++) /* not selected */
                if (u[i] > 10)
                    u[i] = 10;
            main_loop_of_gotos(u, n);
        }
    }
    while (total < 10) { /* excluded: it never comes back */
        total += 1;
        break;
    }
    for (int i = 0; i < n; i++) /* not selected */
        total += i * (long)u[i];
    printf("%ld\n", total);
    free(u);
    return 0;
}
