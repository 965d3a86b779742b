/* Local pointers hand on to blocks what has no register by then: a part of a struct of main, an array of a function that returns. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct domain {
    int dims[2], size;
    double *u, time;
    MPI_Comm comm, line;
};

static void grid(int *dims, MPI_Comm *comm, int size)
{
    int wrap[2] = {1, 1};
    dims[0] = 0;
    dims[1] = 1;
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, wrap, 0, comm);
}

static void passed_on(int *dims, MPI_Comm *comm, int size)
{
    int *same = dims;
    grid(same, comm, size);
}

static void in_a_line(MPI_Comm *comm, int size)
{
    int dims[2] = {0, 0};
    int *first = dims;
    passed_on(first, comm, size);
}

static void set_up(struct domain *d)
{
    int *dims;
    MPI_Comm_size(MPI_COMM_WORLD, &d->size);
    dims = d->dims;
    grid(dims, &d->comm, d->size);
    in_a_line(&d->line, d->size);
}

int main(int argc, char **argv)
{
    struct domain d = {0};
    int rank;
    MPI_Init(&argc, &argv);
    set_up(&d);
    MPI_Comm_rank(d.comm, &rank);
    d.u = malloc(100 * sizeof *d.u);
    for (int i = 0; i < 100; i++)
        d.u[i] = i * (rank + 1);
    while (d.time < 30) {
        double sum = 0, all;
        for (int i = 1; i < 100; i++) {
            d.u[i] = 0.5 * (d.u[i] + d.u[i - 1]) + 1e-3;
            sum += d.u[i];
        }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, d.comm);
        MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_MAX, d.line);
        d.u[0] = all * 1e-5 + d.dims[0];
        d.time += 1;
    }
    if (rank == 0)
        printf("%.12g\n", d.u[50]);
    free(d.u);
    MPI_Finalize();
    return 0;
}
