/* A buffer that MPI keeps, and calls that look for messages and begin a reduction: what they do to MPI is not done again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct world {
    double values[8], sum;
    int rank, size, step;
    char *buffer;
    MPI_Datatype pairs;
};

int main(int argc, char **argv)
{
    struct world own, *w = &own;
    int steps = argc > 5 ? 3 : 30;
    MPI_Init(&argc, &argv);
    w->sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->size);
    for (int i = 0; i < 8; i++)
        w->values[i] = w->rank + i;
    w->buffer = malloc(4096);
    MPI_Buffer_attach(w->buffer, 4096);
    MPI_Type_vector(2, 1, 4, MPI_DOUBLE, &w->pairs);
    MPI_Type_commit(&w->pairs);
    for (w->step = 0; w->step < steps; w->step++) {
        {
            double got;
            MPI_Bsend(&w->values[3], 1, MPI_DOUBLE, (w->rank + 1) % w->size, 4, MPI_COMM_WORLD);
            MPI_Recv(&got, 1, MPI_DOUBLE, (w->rank + w->size - 1) % w->size, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            w->values[3] = 0.5 * w->values[3] + 0.25 * got;
        }
        {
            MPI_Request request;
            MPI_Status status;
            int count;
            MPI_Isend(w->values, 1 + w->step % 7, MPI_DOUBLE, (w->rank + 1) % w->size, 3, MPI_COMM_WORLD, &request);
            MPI_Probe((w->rank + w->size - 1) % w->size, 3, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_DOUBLE, &count);
            double *got = malloc(count * sizeof *got);
            MPI_Recv(got, count, MPI_DOUBLE, status.MPI_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            w->values[w->step % 8] += 0.125 * got[count - 1];
            free(got);
        }
        {
            double got[8] = {0};
            MPI_Sendrecv(w->values, 1, w->pairs, (w->rank + 1) % w->size, 6, got, 1, w->pairs, (w->rank + w->size - 1) % w->size, 6,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            w->values[6] = 0.5 * w->values[6] + 0.25 * got[4];
        }
        {
            MPI_Request request;
            double all, mine = w->values[w->step % 8];
            MPI_Iallreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
            w->values[5] = 0.5 * w->values[5] + w->sum * 1e-3;
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            w->sum += all;
        }
    }
    MPI_Type_free(&w->pairs);
    {
        char *back;
        int length;
        MPI_Buffer_detach(&back, &length);
        free(w->buffer);
    }
    if (w->rank == 0)
        printf("%.17g\n", w->sum);
    MPI_Finalize();
    return 0;
}
