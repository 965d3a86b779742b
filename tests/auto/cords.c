/* A cord that swings. Steps that are too long end the program behind `MPI_Finalize`, which is in the text before the steps. Rank 0
 * collects at the end, one rank after the other, which seems to be more work. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double *swing(int rank, int size, int points, int own, int steps, double dt)
{
    double c = dt * (points - 1), *before, *now, *next;
    int first = rank * (points - 1) / size - (rank > 0), last = own - 1, i, step;

    if (fabs(c) >= 1.0) {
        if (rank == 0)
            fprintf(stderr, "not stable: %g\n", c);
        MPI_Finalize();
        exit(1);
    }
    before = malloc(own * sizeof *before);
    now = malloc(own * sizeof *now);
    next = malloc(own * sizeof *next);
    for (i = 0; i < own; i++)
        before[i] = now[i] = sin(6.28318 * (first + i) / (points - 1));
    for (step = 1; step <= steps; step++) {
        for (i = 1; i < last; i++)
            next[i] = c * c * (now[i - 1] + now[i + 1]) + 2 * (1 - c * c) * now[i] - before[i];
        if (rank > 0) {
            MPI_Send(&next[1], 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD);
            MPI_Recv(&next[0], 1, MPI_DOUBLE, rank - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            next[0] = 0;
        }
        if (rank < size - 1) {
            MPI_Send(&next[last - 1], 1, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD);
            MPI_Recv(&next[last], 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            next[last] = 0;
        }
        for (i = 0; i < own; i++) {
            before[i] = now[i];
            now[i] = next[i];
        }
    }
    free(before);
    free(next);
    return now;
}

static void collect(int rank, int size, int points, int own, const double *now)
{
    int first = rank * (points - 1) / size - (rank > 0), part[2], i, other;

    if (rank == 0) {
        double *all = malloc(points * sizeof *all), sum = 0;

        for (i = 0; i < own; i++)
            all[i] = now[i];
        for (other = 1; other < size; other++) {
            MPI_Recv(part, 2, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (part[0] < 0 || part[0] + part[1] > points)
                exit(1);
            MPI_Recv(&all[part[0]], part[1], MPI_DOUBLE, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (i = 0; i < points; i++)
            sum += all[i] * i;
        printf("%.17g\n", sum);
        free(all);
    } else {
        part[0] = first;
        part[1] = own;
        MPI_Send(part, 2, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Send(now, own, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int points = 401, steps = 60, rank, size, first, own;
    double *now;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = rank * (points - 1) / size - (rank > 0);
    own = (rank + 1) * (points - 1) / size + 1 - first;
    now = swing(rank, size, points, own, steps, 0.002);
    collect(rank, size, points, own, now);
    free(now);
    MPI_Finalize();
    return 0;
}
