/* One rank reads the input, all get it: until then it differs, from then on it does not. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double u[50];
static int kept, handed;

static void keep(int *where, char *text)
{
    *where = atoi(text);
}

static void smooth(int steps)
{
    for (int step = 0; step < steps; step++)
        for (int i = 0; i < 50; i++)
            u[i] = 0.5 * u[i] + step + i; /* safe */
}

int main(int argc, char **argv)
{
    int rank, steps, early, again, sizes[2], errors = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    steps = early = again = 1;
    if (rank == 0) {
        steps = atoi(argv[1]);
        early = atoi(argv[2]);
        again = atoi(argv[3]);
        sizes[0] = atoi(argv[4]);
        sizes[1] = atoi(argv[5]);
        keep(&handed, argv[6]);
        kept = atoi(argv[7]);
        if (steps < 1)
            errors = 1;
        printf("%d steps\n", steps);
    }
    for (int trial = 0; trial < 3; trial++) {
        u[trial] += 1;
        for (int step = 0; step < early; step++)
            u[1] += step; /* unsafe */
    }
    MPI_Bcast(&errors, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&early, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(sizes, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&handed, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1)
        again = 7;
    for (int trial = 0; trial < 3; trial++) {
        for (int step = 0; step < steps; step++)
            for (int i = 0; i < 50; i++)
                u[i] = 0.5 * u[i] + step + i; /* safe */
        for (int step = 0; step < early; step++)
            for (int i = 0; i < sizes[1]; i++)
                u[1] += step; /* safe */
        for (int step = 0; step < handed; step++)
            u[2] += step; /* safe */
        for (int step = 0; step < again; step++)
            u[3] += step; /* unsafe */
        for (int step = 0; step < kept; step++)
            u[4] += step; /* unsafe */
    }
    switch (steps) {
    case 1:
        smooth(steps);
        break;
    case 2:
        for (int step = 0; step < steps; step++)
            for (int i = 0; i < 50; i++) /* safe */
                u[i] = 0.5 * u[i] + step + i;
    }
    printf("%g %d\n", u[7], errors);
    MPI_Finalize();
    return 0;
}
