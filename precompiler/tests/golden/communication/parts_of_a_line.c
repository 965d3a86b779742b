/* Shares of a number that is known, so that the share of each rank is, too: a counter that is compared with it is no rank. */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#define CELLS 1000003

static void relax(const double *from, double *to, int first, int last)
{
    for (int i = first; i <= last; i++)
        to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

static int is_stable(const double *from, const double *to, int cells)
{
    for (int i = 1; i <= cells; i++)
        if (fabs(from[i] - to[i]) > 0.01)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int rank, size, cells, first = 1, last, goes_on = 1, others = 0;
    double *from, *to, *swap;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    cells = CELLS / size;
    if (rank < CELLS % size)
        cells++;
    last = cells;
    if (rank == 0)
        first = 2;
    if (rank == size - 1)
        last = cells - 1;
    from = calloc(cells + 2, sizeof *from);
    to = calloc(cells + 2, sizeof *to);
    do {
        swap = from; /* safe */
        from = to;
        to = swap;
        relax(from, to, first, last);
        if (rank != size - 1)
            MPI_Send(&to[cells], 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
        if (rank != 0)
            MPI_Send(&to[1], 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD);
        if (rank != size - 1)
            MPI_Recv(&to[cells + 1], 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank != 0)
            MPI_Recv(&to[0], 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (is_stable(from, to, cells))
            goes_on = 0;
        MPI_Allreduce(&goes_on, &others, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        to[0] += 0; /* safe */
    } while (others);
    MPI_Finalize();
    return 0;
}
