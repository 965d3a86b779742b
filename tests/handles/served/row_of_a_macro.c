/* A macro of several statements makes a communicator and counts: only one of them has to be executed again, and none has a text of its own. */
#include <mpi.h>
#include <stdio.h>
#define PART(comm, n) MPI_Comm_split(MPI_COMM_WORLD, 0, -(n), &comm); n++; base = 2 * n
int main(int argc, char **argv)
{
    MPI_Comm part;
    int n = 3, rank, first = 0, base;
    double u[100] = {0}, sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    PART(part, n);
    MPI_Comm_rank(part, &rank);
    for (int step = 0; step < 40; step++) {
        for (int i = 1; i < 100; i++) u[i] = (u[i - 1] + u[i] + n + rank) / 2;
        sum = u[50];
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, part);
        u[0] = all / 7;
        first += n + base;
    }
    if (rank == 0) printf("%.17g %d\n", all, first);
    MPI_Finalize();
    return 0;
}
