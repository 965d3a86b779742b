/* A run does one of these things, and that is nearly all of what it does, however much the others would do. */
#include <stdio.h>
#include <stdlib.h>

static double u[2000], t[400], s[100];

static void slow(void)
{
    for (int step = 0; step < 4000; step++) /* selected */
        for (int i = 1; i < 1999; i++)
            u[i] += 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

static void small(void)
{
    for (int step = 0; step < 500; step++) /* also worth a checkpoint */
        for (int i = 1; i < 99; i++)
            s[i] = 0.5 * (s[i - 1] + s[i + 1]);
}

int main(int argc, char **argv)
{
    int kind = atoi(argv[1]);
    if (kind == 0) {
        small();
        printf("%g\n", s[50]);
        return 0;
    }
    for (int i = 0; i < 2000; i++) /* not worth a checkpoint */
        u[i] = i;
    switch (kind) {
    case 1:
        slow();
        break;
    case 2:
        for (int step = 0; step < 1000; step++) /* also worth a checkpoint */
            for (int i = 1; i < 399; i++)
                t[i] += 0.3 * (t[i - 1] - 2 * t[i] + t[i + 1]);
        break;
    default:
        if (kind < 9)
            for (int step = 0; step < 800; step++) /* also worth a checkpoint */
                for (int i = 1; i < 399; i++)
                    t[i] = 0.5 * (t[i - 1] + t[i + 1]);
        else
            for (int i = 0; i < 2000; i++) /* not worth a checkpoint */
                u[i] = i * 0.5;
    }
    for (int pass = 0; pass < 5; pass++) /* not worth a checkpoint */
        for (int i = 0; i < 100; i++)
            s[i] += t[i];
    printf("%g %g %g\n", u[77], t[77], s[77]);
    return 0;
}
