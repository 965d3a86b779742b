/* A helper in another file makes the communicator; two names for it, both live, and compared. */
#include <mpi.h>
#include <stdio.h>

typedef MPI_Comm team_t;
team_t made(int color);

int main(int argc, char **argv)
{
    double sum = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    team_t team = made(0), other = MPI_COMM_NULL;
    other = team;
    for (int i = 0; i < 12; i++) {
        double mine = i + rank, all = 0, most = 0;
        if (other != MPI_COMM_NULL)
            MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, other);
        if (other == team)
            MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, team);
        sum += all + 3 * most;
    }
    if (rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
