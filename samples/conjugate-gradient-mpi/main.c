/* Diffusion in a square, implicit in time: every time step solves a linear system by conjugate
 * gradients. The rows of the grid are divided among the ranks.
 *
 *     conjugate-gradient-mpi [CELLS_PER_SIDE [STEPS]]
 *
 * The checkpoint lies three calls deep: main -> simulate -> solve -> iterate. Every function registers
 * what is its own; on restart the calls are made again, with the same arguments, down to the checkpoint.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct system {
    int rank, size;
    long n;          /* cells in a row */
    long rows;       /* rows of this rank */
    double *x;       /* the temperature; these two have a halo row above and one below */
    double *p;       /* the search direction */
    double *r;       /* the residual */
    double *q;       /* A p */
    long iterations; /* of all time steps together */
};

static double *vector(long length)
{
    double *v = calloc(length, sizeof *v);
    if (v == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return v;
}

static double dot(const double *a, const double *b, long length)
{
    double local = 0.0, global;

    for (long i = 0; i < length; i++)
        local += a[i] * b[i];
    MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return global;
}

/* The halo rows of `v`: those of the neighbours. */
static void exchange(const struct system *s, double *v)
{
    int n = (int)s->n;
    int above = s->rank > 0 ? s->rank - 1 : MPI_PROC_NULL;
    int below = s->rank + 1 < s->size ? s->rank + 1 : MPI_PROC_NULL;

    MPI_Sendrecv(v + s->n, n, MPI_DOUBLE, above, 0, v + (s->rows + 1) * s->n, n, MPI_DOUBLE, below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(v + s->rows * s->n, n, MPI_DOUBLE, below, 1, v, n, MPI_DOUBLE, above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* out = (1 - dt Laplace) v. */
static void apply(const struct system *s, double *v, double *out)
{
    const double k = 20.0;
    long n = s->n;

    exchange(s, v);
    for (long row = 0; row < s->rows; row++)
        for (long column = 0; column < n; column++) {
            long i = (row + 1) * n + column;
            double sum = v[i - n] + v[i + n];
            if (column > 0)
                sum += v[i - 1];
            if (column < n - 1)
                sum += v[i + 1];
            out[row * n + column] = v[i] + k * (4.0 * v[i] - sum);
        }
}

/* One step of the method; `rr` is the square of the residual, and so is the result. */
static double iterate(struct system *s, double rr)
{
    /* A safe point: all ranks iterate together, and no message is on its way. */
#pragma cccp checkpoint every(100)
    long length = s->rows * s->n;

    apply(s, s->p, s->q);
    double alpha = rr / dot(s->p + s->n, s->q, length);
    for (long i = 0; i < length; i++) {
        s->x[s->n + i] += alpha * s->p[s->n + i];
        s->r[i] -= alpha * s->q[i];
    }
    double rr_next = dot(s->r, s->r, length);
    double beta = rr_next / rr;
    for (long i = 0; i < length; i++)
        s->p[s->n + i] = s->r[i] + beta * s->p[s->n + i];
    return rr_next;
}

static int solve(struct system *s, double tolerance)
{
    long length = s->rows * s->n;
    int iteration = 0;

    /* The right-hand side is the old temperature, which is also the first guess. */
    apply(s, s->x, s->q);
    for (long i = 0; i < length; i++)
        s->p[s->n + i] = s->r[i] = s->x[s->n + i] - s->q[i];
    double rr = dot(s->r, s->r, length);
#pragma cccp register(iteration, rr)

    while (rr > tolerance * tolerance && iteration < 10000) {
        rr = iterate(s, rr);
        iteration++;
    }
    return iteration;
}

static void simulate(struct system *s, int steps)
{
    int step;
#pragma cccp register(step)

    for (step = 0; step < steps; step++)
        s->iterations += solve(s, 1e-10);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#pragma cccp init comm(MPI_COMM_WORLD)

    struct system s = {0};
    int steps = argc > 2 ? atoi(argv[2]) : 8;

    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.size);
    s.n = argc > 1 ? atol(argv[1]) : 700;
    s.rows = s.n * (s.rank + 1) / s.size - s.n * s.rank / s.size;
    s.x = vector((s.rows + 2) * s.n);
    s.p = vector((s.rows + 2) * s.n);
    s.r = vector(s.rows * s.n);
    s.q = vector(s.rows * s.n);
    long before = s.n * s.rank / s.size * s.n; /* cells of the ranks before this one */
    for (long i = 0; i < s.rows * s.n; i++)
        s.x[s.n + i] = (double)((before + i) * 7919 % 1000) / 1000.0;

#pragma cccp register(steps, s, s.x[s.rows + 2][s.n], s.p[s.rows + 2][s.n], s.r[s.rows][s.n])
#pragma cccp register(s.q[s.rows][s.n])

    simulate(&s, steps);

    double norm = sqrt(dot(s.x + s.n, s.x + s.n, s.rows * s.n));
    if (s.rank == 0)
        printf("steps %d iterations %ld norm %.17g corner %.17g\n", steps, s.iterations, norm, s.x[s.n]);

#pragma cccp shutdown
    free(s.x);
    free(s.p);
    free(s.r);
    free(s.q);
    MPI_Finalize();
    return 0;
}
