/* What was sent is complete long before the program asks for it, by calls that tell a complete send from none, by a comparison, by a
 * copy, or by giving it back: a restart makes complete requests where there were some. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define SLOTS 5

struct outbox {
    MPI_Request *pending;
    long *words;
    MPI_Request last;
    long word;
};

static int rank, size;

/* The place of a request that is not in use, and how many had to be completed for it. */
static int free_slot(struct outbox *out, int step, long *done)
{
    int at = MPI_UNDEFINED, flag = 0, count, list[SLOTS];
    for (int i = 0; i < SLOTS; i++)
        if (out->pending[i] == MPI_REQUEST_NULL)
            return i;
    if (step % 3 == 0) {
        while (!flag)
            MPI_Testany(SLOTS, out->pending, &at, &flag, MPI_STATUS_IGNORE);
        ++*done;
    } else if (step % 3 == 1) {
        MPI_Waitany(SLOTS, out->pending, &at, MPI_STATUS_IGNORE);
        *done += 10;
    } else {
        do
            MPI_Testsome(SLOTS, out->pending, &count, list, MPI_STATUSES_IGNORE);
        while (count == 0);
        at = list[0];
        *done += 100 * count;
    }
    return at;
}

static long steps(struct outbox *out, long *done)
{
    long sum = 0, got;
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int step = 0; step < 40; step++) {
        int at = free_slot(out, step, done);
        out->words[at] = step * 7 + rank;
        MPI_Isend(&out->words[at], 1, MPI_LONG, right, 1, MPI_COMM_WORLD, &out->pending[at]);
        MPI_Recv(&got, 1, MPI_LONG, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = sum * 3 + got;
        if (out->last != MPI_REQUEST_NULL) {
            MPI_Request copy = out->last;
            *done += 1000;
            if (step % 2)
                MPI_Wait(&copy, MPI_STATUS_IGNORE);
            else
                MPI_Request_free(&copy);
            out->last = MPI_REQUEST_NULL;
        }
        if (step % 4) {
            out->word = sum;
            MPI_Isend(&out->word, 1, MPI_LONG, right, 2, MPI_COMM_WORLD, &out->last);
            MPI_Recv(&got, 1, MPI_LONG, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += got % 5;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return sum;
}

int main(int argc, char **argv)
{
    long mine[2] = {0}, all[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct outbox *out = malloc(sizeof *out);
    out->pending = malloc(SLOTS * sizeof *out->pending);
    out->words = calloc(SLOTS, sizeof *out->words);
    out->last = MPI_REQUEST_NULL;
    out->word = 0;
    for (int i = 0; i < SLOTS; i++)
        out->pending[i] = MPI_REQUEST_NULL;
    mine[0] = steps(out, &mine[1]);
    MPI_Waitall(SLOTS, out->pending, MPI_STATUSES_IGNORE);
    MPI_Wait(&out->last, MPI_STATUS_IGNORE);
    MPI_Reduce(mine, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld %ld\n", all[0], all[1]);
    free(out->pending);
    free(out->words);
    free(out);
    MPI_Finalize();
    return 0;
}
