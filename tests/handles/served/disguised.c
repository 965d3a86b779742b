/* A communicator in a `void *`, attributes under a key, and an error handler of its own. */
#include <mpi.h>
#include <stdio.h>

static void *slot;
static int weight = 5;

static int dropped(MPI_Comm comm, int key, void *value, void *extra)
{
    return comm == MPI_COMM_NULL || key < 0 || value == extra;
}

int main(int argc, char **argv)
{
    double sum = 0;
    int rank, key;
    MPI_Comm own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    slot = own;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, dropped, &key, NULL);
    MPI_Comm_set_attr(own, key, &weight);
    for (int i = 0; i < 12; i++) {
        double mine = i + rank, all;
        int *found, flag;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, (MPI_Comm)slot);
        MPI_Comm_get_attr(own, key, &found, &flag);
        sum += all * (flag ? *found : -1000);
    }
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
