/* Water in basins. Each rank reads what lies where in its part, until nothing more is said: that may be another number of lines on
 * each rank. Then it goes in steps of time, whose length is the least that any rank needs; it is first what this rank needs. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 48

static double least(double mine)
{
    double all = mine;

    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

static int said(int line, int rank, double *at, double *height)
{
    if (line >= 3 + rank)
        return 0;
    *at = (line * 7 + rank * 5) % N;
    *height = 1.0 + line;
    return 1;
}

static void fill(double *water, int rank)
{
    int line = 0, i, k;

    while (1) {
        double at, height;

        if (!said(line++, rank, &at, &height))
            break;
        for (k = 0; k < 40; k++)
            for (i = 0; i < N; i++)
                water[i] += height / (40 * (1 + fabs(i - at)));
    }
}

static double needed(const double *water)
{
    double fastest = 1;
    int i;

    for (i = 0; i < N; i++)
        if (water[i] > fastest)
            fastest = water[i];
    return 0.1 / fastest;
}

static void step(double *water, double *next, double dt, const int *neighbours)
{
    double edge[2] = {water[0], water[N - 1]}, ghost[2] = {0, 0};
    MPI_Request requests[4];
    int i, side, count = 0;

    for (side = 0; side < 2; side++)
        if (neighbours[side] >= 0) {
            MPI_Irecv(&ghost[side], 1, MPI_DOUBLE, neighbours[side], 1, MPI_COMM_WORLD, &requests[count++]);
            MPI_Isend(&edge[side], 1, MPI_DOUBLE, neighbours[side], 1, MPI_COMM_WORLD, &requests[count++]);
        }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    for (i = 0; i < N; i++) {
        double before = i > 0 ? water[i - 1] : ghost[0], behind = i < N - 1 ? water[i + 1] : ghost[1];
        next[i] = water[i] + dt * (before - 2 * water[i] + behind);
    }
    for (i = 0; i < N; i++)
        water[i] = next[i];
}

int main(int argc, char **argv)
{
    double end = argc > 1 ? atof(argv[1]) : 1.0, time, dt, sum = 0;
    double *water = calloc(N, sizeof *water), *next = calloc(N, sizeof *next);
    int *neighbours = malloc(2 * sizeof *neighbours), rank, size, i;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        fprintf(stderr, "%d ranks\n", size);
    for (i = 0; i < 2; i++) {
        neighbours[i] = rank + 2 * i - 1;
        if (neighbours[i] >= size)
            neighbours[i] = -1;
    }
    fill(water, rank);
    for (time = 0; time < end; time += dt) {
        dt = least(needed(water));
        step(water, next, dt, neighbours);
    }
    for (i = 0; i < N; i++)
        sum += water[i];
    MPI_Reduce(&sum, &time, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g\n", time);
    MPI_Finalize();
    return 0;
}
