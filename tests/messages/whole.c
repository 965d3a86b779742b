/* Ways to exchange messages of which none is under way at the checkpoint: the argument says which. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 12, MOST = 8 };

typedef unsigned long long number;

static int rank, size;
static MPI_Comm half, twin;
/* Of the persistent requests. */
static number outgoing, incoming;
static MPI_Request both[2];

static number mixed(number value, number with)
{
    value = (value ^ with) * 6364136223846793005ULL + 1442695040888963407ULL;
    return value ^ (value >> 29);
}

/* The value goes once around. */
static number ring(number value, int step)
{
    number got, beside = 0;
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_UNSIGNED_LONG_LONG, right, step, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_UNSIGNED_LONG_LONG, left, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&got, 1, MPI_UNSIGNED_LONG_LONG, left, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(&value, 1, MPI_UNSIGNED_LONG_LONG, right, step, MPI_COMM_WORLD);
    }
    MPI_Sendrecv_replace(&value, 1, MPI_UNSIGNED_LONG_LONG, left, 77, right, 77, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    /* Nobody is at the ends of a line. */
    MPI_Sendrecv(&value, 1, MPI_UNSIGNED_LONG_LONG, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 5, &beside, 1,
                 MPI_UNSIGNED_LONG_LONG, rank > 0 ? rank - 1 : MPI_PROC_NULL, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return mixed(value + beside, got);
}

/* Rank 0 gives out tasks and takes the results in the order in which they come. */
static number workers(number value, int step)
{
    MPI_Status status;
    number got, sum = value;
    int other;
    if (rank > 0) {
        MPI_Recv(&got, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        got = mixed(got, value);
        MPI_Send(&got, 1, MPI_UNSIGNED_LONG_LONG, 0, status.MPI_TAG + 1, MPI_COMM_WORLD);
        return got;
    }
    for (other = 1; other < size; other++) {
        number task = mixed(value, other);
        MPI_Send(&task, 1, MPI_UNSIGNED_LONG_LONG, other, step + other, MPI_COMM_WORLD);
    }
    for (other = 1; other < size; other++) {
        MPI_Recv(&got, 1, MPI_UNSIGNED_LONG_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += got;
    }
    return sum;
}

/* Everybody tells everybody, and waits in one of many ways. */
static number requests(number value, int step)
{
    MPI_Request all[2 * MOST];
    MPI_Status statuses[2 * MOST];
    number got[MOST] = {0};
    int indices[2 * MOST], other, count = 0, done = 0, some, index, flag = 0;
    for (other = 0; other < size; other++) {
        MPI_Irecv(&got[other], 1, MPI_UNSIGNED_LONG_LONG, other == rank ? MPI_PROC_NULL : other, step, MPI_COMM_WORLD,
                  &all[count++]);
        if (step % 2)
            MPI_Isend(&value, 1, MPI_UNSIGNED_LONG_LONG, other == rank ? MPI_PROC_NULL : other, step, MPI_COMM_WORLD,
                      &all[count++]);
        else
            MPI_Issend(&value, 1, MPI_UNSIGNED_LONG_LONG, other == rank ? MPI_PROC_NULL : other, step, MPI_COMM_WORLD,
                       &all[count++]);
    }
    switch (step % 8) {
    case 0: MPI_Waitall(count, all, MPI_STATUSES_IGNORE); break;
    case 1:
        for (; done < count; done += some)
            MPI_Waitsome(count, all, &some, indices, done % 2 ? statuses : MPI_STATUSES_IGNORE);
        break;
    case 2:
        while (!flag)
            MPI_Testall(count, all, &flag, MPI_STATUSES_IGNORE);
        break;
    case 3:
        for (; done < count; done++)
            MPI_Waitany(count, all, &index, MPI_STATUS_IGNORE);
        break;
    case 4:
        while (done < count) {
            MPI_Testany(count, all, &index, &flag, statuses);
            done += flag && index != MPI_UNDEFINED;
        }
        break;
    case 5:
        while (done < count) {
            MPI_Testsome(count, all, &some, indices, MPI_STATUSES_IGNORE);
            done += some == MPI_UNDEFINED ? 0 : some;
        }
        break;
    case 6:
        for (; done < count; done++)
            MPI_Wait(&all[done], MPI_STATUS_IGNORE);
        break;
    default:
        for (; done < count; done += flag)
            MPI_Test(&all[done], &flag, MPI_STATUS_IGNORE);
    }
    for (other = 0; other < size; other++)
        value += mixed(got[other], other);
    return value;
}

/* Two requests that are started again and again. */
static number persistent(number value, int step)
{
    outgoing = value;
    if (step % 2) {
        MPI_Startall(2, both);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    } else {
        MPI_Start(&both[1]);
        MPI_Start(&both[0]);
        MPI_Wait(&both[0], MPI_STATUS_IGNORE);
        MPI_Wait(&both[1], MPI_STATUS_IGNORE);
    }
    return mixed(value, incoming);
}

/* The same ranks and tags on two communicators, received in the other order. */
static number communicators(number value, int step)
{
    number other = mixed(value, 3), first, second;
    int me, members, right, left;
    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &members);
    /* Neither half is checkpoints ahead of the other. */
    MPI_Barrier(MPI_COMM_WORLD);
    right = (me + 1) % members;
    left = (me + members - 1) % members;
    MPI_Send(&value, 1, MPI_UNSIGNED_LONG_LONG, right, step, half);
    MPI_Send(&other, 1, MPI_UNSIGNED_LONG_LONG, right, step, twin);
    MPI_Recv(&second, 1, MPI_UNSIGNED_LONG_LONG, left, step, twin, MPI_STATUS_IGNORE);
    MPI_Recv(&first, 1, MPI_UNSIGNED_LONG_LONG, left, step, half, MPI_STATUS_IGNORE);
    /* One that comes and goes, and one of this rank alone. */
    if (step % 3 == 0) {
        MPI_Comm again;
        MPI_Comm_dup(twin, &again);
        MPI_Bcast(&first, 1, MPI_UNSIGNED_LONG_LONG, 0, again);
        MPI_Comm_free(&again);
        MPI_Sendrecv_replace(&second, 1, MPI_UNSIGNED_LONG_LONG, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    return mixed(first, second);
}

/* Collective calls that wait, and some that do not. */
static number collectives(number value, int step)
{
    MPI_Request all[3];
    number sum = 0, before = 0, most = value;
    MPI_Iallreduce(&value, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD, &all[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &all[1]);
    MPI_Ibcast(&most, 1, MPI_UNSIGNED_LONG_LONG, step % size, MPI_COMM_WORLD, &all[2]);
    MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
    MPI_Scan(&value, &before, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    return mixed(sum + before, most);
}

/* Messages that are matched before they are received. */
static number matched(number value, int step)
{
    MPI_Message message;
    MPI_Request out, in;
    number got = 0;
    int flag = 0;
    MPI_Isend(&value, 1, MPI_UNSIGNED_LONG_LONG, (rank + 1) % size, step, MPI_COMM_WORLD, &out);
    if (step % 2) {
        MPI_Mprobe(MPI_ANY_SOURCE, step, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&got, 1, MPI_UNSIGNED_LONG_LONG, &message, MPI_STATUS_IGNORE);
    } else {
        while (!flag)
            MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
        MPI_Imrecv(&got, 1, MPI_UNSIGNED_LONG_LONG, &message, &in);
        MPI_Wait(&in, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&out, MPI_STATUS_IGNORE);
    /* The next step takes from any rank. */
    MPI_Barrier(MPI_COMM_WORLD);
    return mixed(value, got);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"ring", "workers", "requests", "persistent", "communicators", "collectives",
                                        "matched"};
    static number (*const ways[])(number, int) = {ring,          workers,     requests, persistent,
                                                  communicators, collectives, matched};
    number value = 1, sum = 0;
    int step, way = 0;
    MPI_Init(&argc, &argv);
    /* Before init, and complete there. */
    MPI_Bcast(&value, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
#pragma cccp init
#pragma cccp execute on restart
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_dup(half, &twin);
    MPI_Send_init(&outgoing, 1, MPI_UNSIGNED_LONG_LONG, (rank + 1) % size, 9, MPI_COMM_WORLD, &both[0]);
    MPI_Recv_init(&incoming, 1, MPI_UNSIGNED_LONG_LONG, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &both[1]);
#pragma cccp end execute
    while (strcmp(argv[1], names[way]))
        way++;
    value += rank;
#pragma cccp register(step, value, way, outgoing, incoming)
    for (step = 0; step < STEPS; step++) {
        value = ways[way](value, step);
#pragma cccp checkpoint
    }
    MPI_Reduce(&value, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %llu\n", names[way], sum);
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
