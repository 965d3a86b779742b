/* What the communicator was made from is not there any more: it was taken out of a copy of the arguments. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef MPI_Comm team_t;
typedef struct { int np; team_t team; } Env;
typedef struct { int argc; char **argv; } Args;

static int consume(Args *a, int fallback)
{
    int r = fallback;
    for (int i = 1; i < a->argc; i++)
        if (a->argv[i]) {
            r = atoi(a->argv[i]);
            a->argv[i] = NULL;
        }
    return r;
}

static void set(Env *e, Args *a)
{
    int rank;
    e->np = consume(a, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < e->np, rank, &e->team);
}

static double sum(const Env *e, double v)
{
    double r, s = 0;
    for (int i = 0; i < 10000; i++)
        s += (v + i) / (i + 1);
    MPI_Allreduce(&s, &r, 1, MPI_DOUBLE, MPI_SUM, e->team);
    return r;
}

int main(int argc, char **argv)
{
    Env env;
    Args args;
    double x = 0;
    MPI_Init(&argc, &argv);
    args.argc = argc;
    args.argv = malloc((argc + 1) * sizeof(char *));
    memcpy(args.argv, argv, argc * sizeof(char *));
    set(&env, &args);
    for (int i = 0; i < 15; i++)
        x += sum(&env, i) / env.np;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%.17g\n", x);
    MPI_Finalize();
    return 0;
}
