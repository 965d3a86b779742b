/* refused: rank 1 never comes to it | let it do so in rounds */
#include <mpi.h>
#include <stdio.h>

extern int my_rank;
void start(int *argc, char ***argv);

int main(int argc, char **argv)
{
    double all[64] = { 0 };
    int size, open;
    MPI_Status status;
    start(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (my_rank > 0) {
        for (int i = 0; i < 3; i++)
            MPI_Send(all, 64, MPI_DOUBLE, 0, i < 2, MPI_COMM_WORLD);
        MPI_Finalize();
        return 0;
    }
    open = size - 1;
    while (open > 0) {
        double one[64];
        MPI_Recv(one, 64, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        for (int k = 0; k < 100000; k++)
            for (int i = 0; i < 64; i++)
                all[i] = 0.5 * (all[i] + one[i] + k);
        open -= status.MPI_TAG == 0;
    }
    printf("%g\n", all[3]);
    MPI_Finalize();
    return 0;
}
