/* Persistent requests of MPI keep their buffers: every start reads them or stores to them anew. */
#include <stdio.h>

typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct request *MPI_Request;
typedef struct status { int source; } MPI_Status;
extern MPI_Comm world;
extern MPI_Datatype number;
int MPI_Send_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Recv_init(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);

int main(int argc, char **argv)
{
    int sent[4] = {argc, 1, 2, 3}, received[4] = {argc, 4, 5, 6}, other[4] = {argc, 7, 8, 9};
    MPI_Request sending, receiving;
    MPI_Status status;
    MPI_Send_init(sent, 4, number, 1, 0, world, &sending);
    MPI_Recv_init(received, 4, number, 1, 0, world, &receiving);
    MPI_Start(&sending);
    MPI_Wait(&sending, &status);
    /* must: sent live, sending live, receiving live */
    /* must: received live */
    /* should: other dead, status.source dead */
#pragma cccp checkpoint
    MPI_Start(&sending);
    MPI_Start(&receiving);
    MPI_Wait(&sending, &status);
    MPI_Wait(&receiving, &status);
    printf("%d\n", received[0]);
    return 0;
}
