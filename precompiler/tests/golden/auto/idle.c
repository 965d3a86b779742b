/* At a checkpoint no request is in flight: those of ranks at the ends, which are not always used, come back as none. */
#include <stdio.h>

typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct request *MPI_Request;
typedef struct status { int source; } MPI_Status;
static MPI_Comm world;
static MPI_Datatype number;
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses);
int MPI_Finalize(void);

int main(int argc, char **argv)
{
    int rank, size, count;
    double u = 1, left = 0;
    MPI_Request some[2];
    MPI_Status statuses[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    for (int step = 0; step < 1000; step++) { /* before: register(u, left, some) */
        count = 0;
        if (rank > 0)
            MPI_Irecv(&left, 1, number, rank - 1, 0, world, &some[count++]);
        if (rank < size - 1)
            MPI_Isend(&u, 1, number, rank + 1, 0, world, &some[count++]);
        MPI_Waitall(count, some, statuses);
        u = 0.5 * u + left;
    }
    printf("%g\n", u);
    MPI_Finalize();
    return 0;
}
