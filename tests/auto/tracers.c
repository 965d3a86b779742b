/* The steps are inside the region, so a register is there, too; two arrays are read behind it only, and named nowhere in it. */
#include <stdio.h>
#include <stdlib.h>

#define N 64

static void move(double *place, const double *speed, double dt)
{
    int i;
#pragma omp for
    for (i = 0; i < N; i++)
        place[i] += dt * speed[i];
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 12, outside = 0, i;
    double *place = malloc(N * sizeof *place), *speed = malloc(N * sizeof *speed), sum = 0;
    double *colour = malloc(N * sizeof *colour);
    int *kind = malloc(N * sizeof *kind);

    for (i = 0; i < N; i++) {
        place[i] = i;
        speed[i] = (i * 37 % 11) - 5;
        colour[i] = 1.0 / (1 + i);
        kind[i] = i % 3;
    }
#pragma omp parallel shared(place, speed, outside)
    {
        for (int step = 0; step < steps; step++) {
            move(place, speed, 0.125);
#pragma omp single
            outside += place[step % N] > N;
        }
    }
    for (i = 0; i < N; i++)
        sum += place[i] * colour[i] * (1 + kind[i]);
    printf("%.17g %d\n", sum, outside);
    return 0;
}
