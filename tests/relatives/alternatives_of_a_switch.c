/* Time loops in alternatives: the one that this run comes to does little beside what the others would. */
#include <stdio.h>

static double u[2000], t[400];

static void slow(void)
{
    for (int step = 0; step < 4000; step++)
        for (int i = 1; i < 1999; i++)
            u[i] += 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < 400; i++)
        u[i] = t[i] = i % 13;
    switch (argc) {
    case 2:
        slow();
        break;
    case 3:
        for (int step = 0; step < 2000; step++)
            for (int i = 1; i < 399; i++)
                t[i] = 0.5 * (t[i - 1] + t[i + 1]);
        break;
    default:
        for (int step = 0; step < 300; step++)
            for (int i = 1; i < 399; i++)
                t[i] += 0.3 * (t[i - 1] - 2 * t[i] + t[i + 1]) + argc * 1e-3;
    }
    printf("%.15g %.15g\n", u[77], t[77]);
    return argv[0] == NULL;
}
