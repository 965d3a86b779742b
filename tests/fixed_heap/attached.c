/* A buffer that MPI keeps, attached in a block: the buffer is there with the heap, and is not allocated once more. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, moved = 0, length = argc > 5 ? 3000 : 2000;
    double sum, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    void *room = malloc(length);
    void *before = NULL;
    MPI_Buffer_attach(room, length);
    sum = rank;
    for (int step = 0; step < 30; step++) {
        MPI_Bsend(&sum, 1, MPI_DOUBLE, (rank + 1) % size, 4, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_DOUBLE, (rank + size - 1) % size, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = 0.5 * sum + 0.25 * got + step;
        void *scratch = malloc(length);
        if (before && scratch != before)
            moved++;
        before = scratch;
        free(scratch);
    }
    {
        char *back;
        int number;
        MPI_Buffer_detach(&back, &number);
    }
    free(room);
    if (rank == 0)
        printf("%.17g, moved %d times\n", sum, moved);
    MPI_Finalize();
    return 0;
}
