/* A buffer that MPI keeps, allocated by a function that has returned: no name leads to it, and the block allocates it again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void attach(void)
{
    char *room = malloc(2000);
    MPI_Buffer_attach(room, 2000);
}

int main(int argc, char **argv)
{
    int rank, size, length;
    double sum, got;
    char *back;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    attach();
    sum = rank;
    for (int step = 0; step < 30; step++) {
        MPI_Bsend(&sum, 1, MPI_DOUBLE, (rank + 1) % size, 4, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_DOUBLE, (rank + size - 1) % size, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = 0.5 * sum + 0.25 * got + step;
    }
    MPI_Buffer_detach(&back, &length);
    free(back);
    printf("%.17g\n", sum);
    MPI_Finalize();
    return 0;
}
