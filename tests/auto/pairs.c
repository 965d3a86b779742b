/* Ranks compute in pairs. Where one is left over, a message to it is under way all the time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    double left = 0.0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int steps = argc > 1 ? atoi(argv[1]) : 8;
    int partner = rank % 2 == 0 ? rank + 1 : rank - 1;
    double x = rank + 1.0;
    if (size % 2 == 1 && rank == 0 && size > 1)
        MPI_Send(&x, 1, MPI_DOUBLE, size - 1, 1, MPI_COMM_WORLD);
    for (int step = 0; step < steps; step++) {
        double other = 0.0;
        if (partner < size)
            MPI_Sendrecv(&x, 1, MPI_DOUBLE, partner, 0, &other, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        for (int i = 0; i < 1000; i++)
            x = 0.5 * x + 0.25 * other + 1.0 / (i + step + 1);
    }
    if (size % 2 == 1 && rank == size - 1 && size > 1) {
        MPI_Recv(&left, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        x += left;
    }
    double total = 0.0;
    MPI_Reduce(&x, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks: %.17g\n", size, total);
    MPI_Finalize();
    return 0;
}
