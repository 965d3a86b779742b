/* Loops that ranks iterate differently often, and that some of them may not come out of. */
#include <mpi.h>
#include <stdlib.h>

static double u[8];

static int work(int mine)
{
    for (int i = 0; i < mine; i++) {
        u[1] += 1; /* unsafe */
        if (u[1] > 10)
            exit(0);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    work(atoi(argv[1]) / (rank + 1));
    MPI_Finalize();
    return 0;
}
