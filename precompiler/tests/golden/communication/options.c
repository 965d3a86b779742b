/* Options are the same on all ranks. */
#include <mpi.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
static double u[8];
int main(int argc, char **argv)
{
    int n = 3, c;
    MPI_Init(&argc, &argv);
    while ((c = getopt(argc, argv, "n:")) != -1)
        if (c == 'n')
            sscanf(optarg, "%d", &n);
    for (int i = 0; i < n; i++) {
        u[0] += 1; /* safe */
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
