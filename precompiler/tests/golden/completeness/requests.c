/* Handles of MPI, and what leads to them. A persistent request stays what its block has made of it, whoever starts it and
 * waits for it, as long as only such calls store there and its buffer stays where the pointers say. */
#include <stdlib.h>

typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct request *MPI_Request;
typedef struct status { int source; } MPI_Status;
extern MPI_Comm world;
extern MPI_Datatype number;
int MPI_Send_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Startall(int count, MPI_Request array_of_requests[]);
int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm);
int MPI_Barrier(MPI_Comm comm);

static void run(MPI_Request *requests, int count)
{
    MPI_Status statuses[2];
    MPI_Startall(count, requests);
    MPI_Waitall(count, requests, statuses);
}

static double buffer[2];

static void stays(void)
{
    MPI_Request good[1], mixed[2];
    int t;
#pragma cccp execute on restart
    MPI_Send_init(buffer, 2, number, 1, 0, world, &good[0]);
    MPI_Send_init(buffer, 2, number, 1, 0, world, &mixed[0]);
#pragma cccp end execute
#pragma cccp register(t, buffer)
    for (t = 0; t < 10; t++) {
        /* should: good held */
        /* must: mixed missing */
#pragma cccp checkpoint name(stays)
        run(good, 1);
        MPI_Irecv(buffer, 2, number, 1, 0, world, &mixed[1]);
        run(mixed, 1);
    }
}

/* At an odd step the block would give the request the wrong one of the two buffers. */
static void swapped(int n)
{
    MPI_Request even[1], odd[1];
    int t;
#pragma cccp execute on restart
    double *a = malloc(n * sizeof *a);
    double *b = malloc(n * sizeof *b);
    MPI_Send_init(a, n, number, 1, 0, world, even);
    MPI_Send_init(b, n, number, 1, 0, world, odd);
#pragma cccp end execute
#pragma cccp register(t, n, a[n], b[n])
    for (t = 0; t < 10; t++) {
        /* must: even missing */
        /* must: odd missing */
#pragma cccp checkpoint name(swapped)
        double *last = a;
        run(t % 2 ? odd : even, 1);
        a = b;
        b = last;
        a[0] += b[0];
    }
}

/* A pointer to handles leads to memory of the program: somebody has to put the handles there again. */
static void many(int n)
{
    MPI_Comm *made, *again;
    int t;
#pragma cccp execute on restart
    made = malloc(n * sizeof *made);
#pragma cccp end execute
    MPI_Comm_dup(world, &made[0]);
#pragma cccp execute on restart
    again = malloc(n * sizeof *again);
    MPI_Comm_dup(world, &again[0]);
#pragma cccp end execute
#pragma cccp register(t, n)
    for (t = 0; t < 10; t++) {
        /* must: made[…] missing */
        /* should: again held */
#pragma cccp checkpoint name(many)
        MPI_Barrier(made[0]);
        MPI_Barrier(again[0]);
    }
}

int main(int argc, char **argv)
{
#pragma cccp init
    stays();
    swapped(argc);
    many(argc);
#pragma cccp shutdown
    return 0;
}
