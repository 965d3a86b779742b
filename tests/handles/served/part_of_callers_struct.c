/* A struct of main is set up by its parts: local pointers and arguments lead into it before anything of it has a register. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct domain {
    int dims[2], rank, size, n;
    struct {
        int dims[2];
        MPI_Comm comm;
    } plane[2];
    double *u, time;
    MPI_Comm comm;
};

static void grid(int *dims, int wrap, MPI_Comm *comm, int *size)
{
    int both[2];
    both[0] = both[1] = wrap;
    MPI_Comm_size(MPI_COMM_WORLD, size);
    dims[0] = 0;
    dims[1] = 1;
    MPI_Dims_create(*size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, both, 0, comm);
}

static int set_up(struct domain *d)
{
    int *dims = d->dims;
    int wrap[2] = {1, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &d->size);
    dims[0] = 0;
    dims[1] = 1;
    MPI_Dims_create(d->size, 2, dims);
    if (dims[0] * dims[1] != d->size)
        return 1;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, wrap, 0, &d->comm);
    MPI_Comm_rank(d->comm, &d->rank);
    grid(d->plane[1].dims, d->size > 2, &d->plane[1].comm, &d->size);
    return 0;
}

int main(int argc, char **argv)
{
    struct domain d = {0};
    MPI_Init(&argc, &argv);
    if (set_up(&d))
        return 1;
    d.n = 100;
    d.u = malloc(d.n * sizeof *d.u);
    for (int i = 0; i < d.n; i++)
        d.u[i] = i * (d.rank + 1);
    while (d.time < 30) {
        double sum = 0, all;
        for (int i = 1; i < d.n; i++) {
            d.u[i] = 0.5 * (d.u[i] + d.u[i - 1]) + 1e-3;
            sum += d.u[i];
        }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, d.comm);
        MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_MAX, d.plane[1].comm);
        d.u[0] = all * 1e-5 + d.dims[0] + d.plane[1].dims[0];
        d.time += 1;
    }
    if (d.rank == 0)
        printf("%.12g\n", d.u[50]);
    free(d.u);
    MPI_Finalize();
    return 0;
}
