/* What a collective call makes the same is the same in its group: in another group it is another thing. */
#include <mpi.h>
#include <stdio.h>

static double u[50];

static void smooth(int steps)
{
    for (int step = 0; step < steps; step++)
        for (int i = 0; i < 50; i++)
            u[i] = 0.5 * u[i] + step + i; /* unsafe */
}

int main(int argc, char **argv)
{
    int rank, size, mine, of_row, of_all, of_own;
    MPI_Comm row, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &row);
    MPI_Comm_size(row, &size);
    mine = 4 + 3 * rank;
    all = MPI_COMM_WORLD;
    MPI_Allreduce(&mine, &of_row, 1, MPI_INT, MPI_SUM, row);
    MPI_Allreduce(&mine, &of_all, 1, MPI_INT, MPI_SUM, all);
    MPI_Allreduce(&mine, &of_own, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    for (int phase = 0; phase < 20; phase++) {
        for (int trial = 0; trial < 3; trial++) {
            u[trial] += 1;
            for (int step = 0; step < of_row; step++) {
                u[1] += step; /* unsafe: more often */
                u[2] += step;
            }
            for (int step = 0; step < size; step++)
                u[3] += step; /* unsafe: more often */
            for (int step = 0; step < of_own; step++)
                u[4] += step; /* unsafe: more often */
            smooth(of_row);
        }
        MPI_Allreduce(MPI_IN_PLACE, u, 50, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int trial = 0; trial < 3; trial++) {
            u[trial] += 1;
            for (int step = 0; step < of_all; step++)
                u[5] += step; /* safe */
        }
    }
    printf("%g\n", u[7]);
    MPI_Finalize();
    return 0;
}
