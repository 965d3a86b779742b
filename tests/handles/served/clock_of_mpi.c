/* The clock of MPI goes on behind a restart: it does not go back. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, back = 0;
    double value = 1, last = 0, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 16; i++) {
        for (int j = 0; j < 2000000; j++)
            value = value * 0.999 + (j + rank) % 7;
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        double now = MPI_Wtime();
        back += now < last;
        last = now;
    }
    MPI_Allreduce(MPI_IN_PLACE, &back, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %.17g\n", back, sum);
    MPI_Finalize();
    return 0;
}
