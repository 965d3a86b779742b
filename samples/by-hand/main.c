/* Waves on a string, with checkpoints by hand: the C interface of the library, without the precompiler.
 *
 *     by-hand [POINTS [STEPS]]
 *
 * What the precompiler would write has to be written by hand: sizes are registered before the memory
 * that depends on them is allocated, and a jump leads back to the checkpoint that was reached.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cccp.h"

static double *points(long n)
{
    double *p = calloc(n, sizeof *p);
    if (p == NULL) {
        fprintf(stderr, "no memory for %ld points\n", n);
        exit(1);
    }
    return p;
}

static void step_once(const double *before, const double *now, double *after, long n)
{
    for (long i = 1; i < n - 1; i++)
        after[i] = 2.0 * now[i] - before[i] + 0.25 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
}

int main(int argc, char **argv)
{
    if (CCCP_Init(&argc, &argv) != CCCP_OK)
        return 1;

    long n = argc > 1 ? atol(argv[1]) : 100000;
    long steps = argc > 2 ? atol(argv[2]) : 15000;
    long step = 0;
    double energy = 0.0;
    double *string[3];

    /* During a restart each of these gets its value before the call returns: `n` first, for the sizes. */
    CCCP_Register(&n, 1, CCCP_LONG, "n");
    CCCP_Register(&steps, 1, CCCP_LONG, "steps");
    CCCP_Register(&step, 1, CCCP_LONG, "step");
    CCCP_Register(&energy, 1, CCCP_DOUBLE, "energy");
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "string[%d]", i);
        string[i] = points(n);
        CCCP_Register(string[i], (cccp_count)n, CCCP_DOUBLE, name);
    }

    switch (CCCP_Jump_next()) {
    case 1:
        goto first_half;
    case 2:
        goto second_half;
    default:
        break;
    }

    for (long i = 1; i < n - 1; i++)
        string[0][i] = string[1][i] = sin(3.14159265358979 * (double)i / (double)(n - 1));

    /* The three strings take turns; which is which follows from `step`, so nothing has to be swapped. */
    for (step = 0; step < steps / 2; step++) {
        if (step % 500 == 0) {
        first_half:
            CCCP_Do_checkpoint(1);
        }
        step_once(string[step % 3], string[(step + 1) % 3], string[(step + 2) % 3], n);
    }
    for (; step < steps; step++) {
        if (step % 500 == 0) {
        second_half:
            CCCP_Do_checkpoint(2);
        }
        step_once(string[step % 3], string[(step + 1) % 3], string[(step + 2) % 3], n);
        energy += string[step % 3][n / 2] * string[step % 3][n / 2];
    }

    printf("steps %ld middle %.17g energy %.17g\n", steps, string[step % 3][n / 2], energy);
    CCCP_Shutdown();
    for (int i = 0; i < 3; i++)
        free(string[i]);
    return 0;
}
