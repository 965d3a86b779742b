/* Library functions that move pointers from one parameter to another, and those that do not. */
#include <string.h>

typedef struct some_comm *MPI_Comm;
typedef struct some_datatype *MPI_Datatype;
typedef struct some_request *MPI_Request;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; unsigned long count; } MPI_Status;

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status);
int MPI_Alltoallv(const void *sendbuf, const int *sendcounts, const int *sdispls, MPI_Datatype sendtype, void *recvbuf,
                  const int *recvcounts, const int *rdispls, MPI_Datatype recvtype, MPI_Comm comm);
int MPI_Wait(MPI_Request *request, MPI_Status *status);

int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                 MPI_Datatype recvtype, MPI_Comm comm);
extern struct some_datatype a_byte;
#define MPI_BYTE (&a_byte)

static MPI_Comm world;
static MPI_Datatype type;
static int x, y, z;

/* A struct in which everything is: pointers, numbers, requests. */
static struct everything {
    int *first;
    int *second;
    int counts[4];
    MPI_Request request;
    MPI_Status status;
    int *other;
} all;
static int *received;

static struct mixed {
    int *where;
    int sent[4];
    int got[4];
    int *other;
} bytes;

int main(void)
{
    int *p, *q, *r;
    all.first = &x;
    MPI_Isend(&all.first, 1, type, 0, 0, world, &all.request); /* should: all.request ↛ x */
    MPI_Wait(&all.request, &all.status);
    p = &y;
    MPI_Sendrecv(&p, 1, type, 0, 0, &q, 1, type, 0, 0, world, &all.status); /* must: q → y */
    all.second = all.first; /* should: all.second ↛ y */
    MPI_Alltoallv(&p, all.counts, all.counts, type, &received, all.counts, all.counts, type, world); /* must: received → y */
    r = received; /* must: r → y */
    bytes.where = &z;
    MPI_Alltoall(&bytes.where, sizeof bytes.where, MPI_BYTE, &bytes.other, sizeof bytes.other, MPI_BYTE, world);
    q = bytes.other; /* must: bytes.other → z */
    all.other = &z;
    memcpy(&q, &all.other, sizeof q); /* must: q → z */
    return *p + *q + *r;
}
