/* Heat flows in a square plate, cut into blocks, one per rank: a five-point stencil with a halo
 * exchange in two dimensions. The left edge is hot, the others are cold.
 *
 *     heat-mpi [CELLS_PER_SIDE [STEPS]]
 *
 * What cannot be saved, the Cartesian communicator and the datatype of a column, is made anew by the
 * block "execute on restart". What it leaves in `plate` needs no register for the same reason.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct plate {
    MPI_Comm comm;
    MPI_Datatype column;
    int rank;
    int north, south, west, east; /* the neighbours */
    long rows, columns;           /* of this rank, without the halo */
    long width;                   /* of a row, with the halo */
};

/* How many of `n` cells part `i` of `parts` gets. */
static long share(long n, int i, int parts)
{
    return n * (i + 1) / parts - n * i / parts;
}

static void divide(struct plate *p, long n)
{
    int size, dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2];

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &p->comm);
    MPI_Comm_rank(p->comm, &p->rank);
    MPI_Cart_coords(p->comm, p->rank, 2, coords);
    MPI_Cart_shift(p->comm, 0, 1, &p->north, &p->south);
    MPI_Cart_shift(p->comm, 1, 1, &p->west, &p->east);
    p->rows = share(n, coords[0], dims[0]);
    p->columns = share(n, coords[1], dims[1]);
    p->width = p->columns + 2;
    MPI_Type_vector((int)p->rows, 1, (int)p->width, MPI_DOUBLE, &p->column);
    MPI_Type_commit(&p->column);
}

static double *cells(const struct plate *p)
{
    double *u = calloc((p->rows + 2) * p->width, sizeof *u);
    if (u == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (p->west == MPI_PROC_NULL)
        for (long row = 0; row < p->rows + 2; row++)
            u[row * p->width] = 1.0;
    return u;
}

static void exchange(const struct plate *p, double *u)
{
    long w = p->width;
    int n = (int)p->columns;

    MPI_Sendrecv(&u[w + 1], n, MPI_DOUBLE, p->north, 1, &u[(p->rows + 1) * w + 1], n, MPI_DOUBLE, p->south, 1,
                 p->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[p->rows * w + 1], n, MPI_DOUBLE, p->south, 2, &u[1], n, MPI_DOUBLE, p->north, 2,
                 p->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[w + 1], 1, p->column, p->west, 3, &u[w + p->columns + 1], 1, p->column, p->east, 3,
                 p->comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[w + p->columns], 1, p->column, p->east, 4, &u[w], 1, p->column, p->west, 4,
                 p->comm, MPI_STATUS_IGNORE);
}

static void step_once(const struct plate *p, const double *u, double *next)
{
    long w = p->width;

    for (long row = 1; row <= p->rows; row++)
        for (long i = row * w + 1; i <= row * w + p->columns; i++)
            next[i] = u[i] + 0.2 * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - 4.0 * u[i]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#pragma cccp init

    long n = argc > 1 ? atol(argv[1]) : 800;
    long steps = argc > 2 ? atol(argv[2]) : 2000;
    long step;
    struct plate plate;

#pragma cccp execute on restart
    divide(&plate, n);
#pragma cccp end execute

    double *u = cells(&plate);
    double *next = cells(&plate);

#pragma cccp register(n, steps, step)
#pragma cccp register(u[plate.rows + 2][plate.width], next[plate.rows + 2][plate.width])

    for (step = 0; step < steps; step++) {
        /* A safe point: every rank is in the same step and no message is on its way. */
#pragma cccp checkpoint every(100)
        exchange(&plate, u);
        step_once(&plate, u, next);
        double *old = u;
        u = next;
        next = old;
    }

    double local[2] = {0.0, 0.0}, total[2];
    for (long row = 1; row <= plate.rows; row++)
        for (long column = 1; column <= plate.columns; column++) {
            double value = u[row * plate.width + column];
            local[0] += value;
            local[1] += value * value;
        }
    MPI_Reduce(local, total, 2, MPI_DOUBLE, MPI_SUM, 0, plate.comm);
    if (plate.rank == 0)
        printf("steps %ld heat %.17g square %.17g\n", steps, total[0], total[1]);

#pragma cccp shutdown
    free(u);
    free(next);
    MPI_Type_free(&plate.column);
    MPI_Comm_free(&plate.comm);
    MPI_Finalize();
    return 0;
}
