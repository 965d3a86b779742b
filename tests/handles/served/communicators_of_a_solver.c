/* Communicators in a local struct and in an array in it: a split of a split, ranks of different colours, none for some ranks, one
 * that is freed and made anew in each step, a constant of MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct solver {
    MPI_Comm all, level[3], *more;
    MPI_Comm each;
    double u;
};

static void set_up(struct solver *s, int rank)
{
    s->all = MPI_COMM_WORLD;
    s->each = MPI_COMM_NULL;
    s->more = malloc(2 * sizeof *s->more);
    MPI_Comm_split(s->all, 0, -rank, &s->level[0]);
    MPI_Comm_split(s->level[0], rank % 2, rank, &s->level[1]);
    MPI_Comm_split(s->all, rank == 0 ? MPI_UNDEFINED : 1, rank, &s->level[2]);
    MPI_Comm_dup(s->level[0], &s->more[0]);
    s->more[1] = MPI_COMM_SELF;
    s->u = rank;
}

static void step(struct solver *s, int it)
{
    double x = s->u + it, y, z = 0;
    int place;
    for (int i = 0; i < 1000; i++)
        x = x * 0.999 + i % 3;
    if (s->each != MPI_COMM_NULL)
        MPI_Comm_free(&s->each);
    MPI_Comm_dup(s->level[1], &s->each);
    MPI_Comm_rank(s->level[0], &place);
    MPI_Scan(&x, &y, 1, MPI_DOUBLE, MPI_SUM, s->level[0]);
    MPI_Allreduce(&y, &x, 1, MPI_DOUBLE, MPI_SUM, s->each);
    if (s->level[2] != MPI_COMM_NULL)
        MPI_Allreduce(&x, &z, 1, MPI_DOUBLE, MPI_MAX, s->level[2]);
    MPI_Bcast(&x, 1, MPI_DOUBLE, 0, s->more[0]);
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, s->more[1]);
    s->u = y / 7 + z / 9 + place;
}

int main(int argc, char **argv)
{
    struct solver s;
    double sum;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    set_up(&s, rank);
    for (int it = 0; it < 15; it++)
        step(&s, it);
    MPI_Reduce(&s.u, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, s.all);
    if (rank == 0)
        printf("%.17g\n", sum);
    MPI_Finalize();
    return 0;
}
