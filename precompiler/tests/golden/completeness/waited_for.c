/* What waits for a request stores to it, too, and makes none: the message names what does. */
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct request *MPI_Request;
typedef struct status { int source; } MPI_Status;
extern MPI_Comm world;
extern MPI_Datatype number;
int MPI_Recv_init(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Testany(int count, MPI_Request array_of_requests[], int *index, int *flag, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses);

static MPI_Request slots[4];
static double out[4];

static void finish(void)
{
    MPI_Status statuses[4];
    MPI_Waitall(4, slots, statuses);
}

static void send(double value, int to)
{
    int slot, is_free = 0;
    MPI_Status status;
    while (!is_free)
        MPI_Testany(4, slots, &slot, &is_free, &status);
    out[slot] = value;
    MPI_Isend(out + slot, 1, number, to, 0, world, slots + slot);
}

int main(void)
{
    MPI_Request next;
    MPI_Status status;
    double v = 0, u = 1;
    int t = 0;
#pragma cccp init
#pragma cccp register(t, u, v, out)
#pragma cccp execute on restart
    MPI_Recv_init(&v, 1, number, 0, 0, world, &next);
#pragma cccp end execute
    for (; t < 10; t++) {
        /* must: slots missing */
#pragma cccp checkpoint messages(counted)
        MPI_Start(&next);
        send(u, 1);
        MPI_Wait(&next, &status);
        u = 0.5 * u + v;
    }
    finish();
#pragma cccp shutdown
    return u > 0;
}
