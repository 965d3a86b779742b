/* Elements of arrays that no register brings are handed to what makes communicators: in the stack, and in memory from before MPI_Init. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct part {
    int dims[2], size;
    MPI_Comm comm;
};

static void set_up(struct part *part, int size)
{
    int wrap[2] = {1, 1};
    part->size = size;
    part->dims[0] = part->dims[1] = 0;
    MPI_Dims_create(size, 2, part->dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, part->dims, wrap, 0, &part->comm);
}

int main(int argc, char **argv)
{
    struct part here[3], *more = calloc(3, sizeof *more);
    double u[100], sum, all = 0;
    int rank, size, step, i;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < 3; i++) {
        set_up(&here[i], size);
        set_up(&more[i], size);
    }
    MPI_Comm_rank(here[1].comm, &rank);
    for (i = 0; i < 100; i++)
        u[i] = i * (rank + 1);
    for (step = 0; step < 30; step++) {
        sum = 0;
        for (i = 1; i < 100; i++) {
            u[i] = 0.5 * (u[i] + u[i - 1]) + 1e-3;
            sum += u[i];
        }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, here[step % 3].comm);
        u[0] = all * 1e-5 + here[2].dims[0];
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_MAX, more[step % 3].comm);
        u[1] += all * 1e-6 + more[1].size;
    }
    if (rank == 0)
        printf("%.12g\n", u[50]);
    MPI_Finalize();
    return 0;
}
