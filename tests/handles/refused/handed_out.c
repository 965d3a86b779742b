/* refused: rank 0 never comes to it | (line 43) | let it do so in rounds */
#include <mpi.h>
#include <stdio.h>

static double part(int n)
{
    double sum = 0;
    for (int i = 1; i < 100000; i++)
        sum += 1.0 / (i + n);
    return sum;
}

static void hand_out(int ranks)
{
    double sum = 0, got;
    int next = 0, stop = -1, busy = ranks - 1;
    MPI_Status status;
    for (int r = 1; r < ranks; r++, next++)
        MPI_Send(&next, 1, MPI_INT, r, 1, MPI_COMM_WORLD);
    while (busy > 0) {
        MPI_Recv(&got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
        sum += got;
        busy -= next >= 200;
        MPI_Send(next < 200 ? &next : &stop, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
        next++;
    }
    printf("%.12g\n", sum);
}

static void work(void)
{
    for (;;) {
        int job;
        double result;
        MPI_Recv(&job, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (job < 0)
            break;
        result = part(job);
        MPI_Send(&result, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    }
}

static void run(int me, int ranks) { if (!me) hand_out(ranks); else work(); }

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    run(rank, size);
    MPI_Finalize();
    return 0;
}
