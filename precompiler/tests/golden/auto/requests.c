/* Persistent requests are made again, with all that their calls need, and with memory for their buffers. */
#include <stdio.h>
#include <stdlib.h>

typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct request *MPI_Request;
typedef struct status { int source; } MPI_Status;
static MPI_Comm world;
static MPI_Datatype number;
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Startall(int count, MPI_Request array_of_requests[]);
int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses);
int MPI_Finalize(void);

int main(int argc, char **argv)
{
    int rank, size;
    double in[8];
    MPI_Request both[2];
    MPI_Status statuses[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    double *out = malloc(8 * sizeof *out);
    for (int i = 0; i < 8; i++)
        out[i] = rank + i;
    MPI_Send_init(out, 8, number, (rank + 1) % size, 0, world, &both[0]);
    MPI_Recv_init(in, 8, number, (rank + size - 1) % size, 0, world, &both[1]);
    for (int step = 0; step < 1000; step++) { /* before: register(out[8]) */
#pragma cccp checkpoint
        MPI_Startall(2, both);
        MPI_Waitall(2, both, statuses);
        for (int i = 0; i < 8; i++)
            out[i] = 0.5 * out[i] + in[i];
    }
    printf("%g\n", out[0]);
    MPI_Finalize();
    return 0;
}
