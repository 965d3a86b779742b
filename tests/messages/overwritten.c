/* Neighbours on a line: what receives is stored where the request of what was sent was, which nobody completes. At the ends there is
 * nobody. */
#include <mpi.h>
#include <stdio.h>
#define STEPS 12
#define WORDS 4

int main(int argc, char **argv)
{
    int rank, size, step;
    double value[WORDS + 2] = {0}, sum = 0, all, sent[STEPS][2];
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cccp init
    int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#pragma cccp register(rank, size, left, right, step, value, sum, request, sent)
    for (step = 0; step < STEPS; step++) {
        if (step)
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
#pragma cccp checkpoint every(1) messages(counted)
        for (int i = 1; i <= WORDS; i++) {
            value[i] += (value[i - 1] + value[i + 1]) / 3 + rank + i;
            sum += value[i];
        }
        sent[step][0] = value[1];
        sent[step][1] = value[WORDS];
        MPI_Isend(&sent[step][0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&value[WORDS + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&sent[step][1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &request[1]);
        MPI_Irecv(&value[0], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &request[1]);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g %s\n", all, argv[1]);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
