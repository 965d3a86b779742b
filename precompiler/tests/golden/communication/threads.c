/* Without messages everything is safe, outside of OpenMP regions. */
#include <stdlib.h>

static double u[8];

static void inside(int i)
{
    u[i] += 1; /* unsafe: OpenMP */
}

int main(int argc, char **argv)
{
    for (int step = 0; step < argc; step++) {
        u[0] += 1; /* safe */
#pragma omp parallel for
        for (int i = 0; i < 8; i++) {
            u[i] += 2; /* unsafe: OpenMP */
            inside(i); /* unsafe: OpenMP */
        }
        u[0] += 3; /* safe */
    }
    return argv == NULL;
}
