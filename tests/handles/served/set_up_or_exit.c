/* What makes a communicator says what is wrong with its arguments and ends the program, which a run that goes on has not done. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *why, int number)
{
    fprintf(stderr, "%s: %d\n", why, number);
    exit(1);
}

static MPI_Comm grid_of(int ranks, int dimensions, int *near)
{
    MPI_Comm grid;
    int sizes[2] = {0, 0}, periods[2] = {1, 1};
    if (dimensions > 2)
        fail("dimensions", dimensions);
    MPI_Dims_create(ranks, dimensions, sizes);
    if (MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 0, &grid) != MPI_SUCCESS) {
        printf("no grid of %d\n", ranks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Cart_shift(grid, 0, 1, &near[0], &near[1]);
    return grid;
}

int main(int argc, char **argv)
{
    int rank, ranks, dimensions, *near = malloc(2 * sizeof *near);
    double own, all = 0;
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    dimensions = argc > 1 ? atoi(argv[1]) : 2;
    grid = grid_of(ranks, dimensions, near);
    MPI_Comm_rank(grid, &rank);
    own = rank + 1;
    for (int step = 0; step < 20; step++) {
        own = own * 0.75 + near[0] + 2 * near[1];
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, grid);
        own += all * 1e-3;
    }
    if (rank == 0)
        printf("%.17g\n", all);
    free(near);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
