/* Datatypes and communicators that are made one by one in the first passes of the time loop, each in an element of its own. */
#include <mpi.h>
#include <stdio.h>

enum { SPOKES = 4, WIDTH = 40 };

struct wheel {
    MPI_Datatype types[SPOKES];
    MPI_Comm groups[SPOKES];
    int used;
};

static int rank;

static void add_spoke(struct wheel *wheel)
{
    int n = wheel->used++;
    MPI_Type_vector(WIDTH / 10, n + 1, 10, MPI_DOUBLE, &wheel->types[n]);
    MPI_Type_commit(&wheel->types[n]);
    MPI_Comm_dup(MPI_COMM_WORLD, &wheel->groups[n]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct wheel wheel = {.used = 0};
    double mine[WIDTH], got[WIDTH] = {0}, total = 0;
    for (int i = 0; i < WIDTH; i++)
        mine[i] = rank + 0.5 * i;
    for (int step = 0; step < 24; step++) {
        if (step % 3 == 0 && wheel.used < SPOKES)
            add_spoke(&wheel);
        for (int n = 0; n < wheel.used; n++) {
            for (int i = 0; i < WIDTH; i++)
                got[i] = mine[i];
            MPI_Bcast(got, 1, wheel.types[n], 0, MPI_COMM_WORLD);
            double here = got[n] + got[10] + rank, all;
            MPI_Allreduce(&here, &all, 1, MPI_DOUBLE, MPI_SUM, wheel.groups[n]);
            total += all;
            mine[(step + n) % WIDTH] += 0.001 * all;
        }
    }
    if (rank == 0)
        printf("%.17g\n", total);
    for (int n = 0; n < wheel.used; n++) {
        MPI_Type_free(&wheel.types[n]);
        MPI_Comm_free(&wheel.groups[n]);
    }
    MPI_Finalize();
    return 0;
}
