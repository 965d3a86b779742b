/* A file in which every number is read and overwritten in each step: a restart finds what was written after the checkpoint. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    double x;
    MPI_File f;
    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    for (int step = 0; step < 1000; step++) {
        for (int k = 0; k < 100; k++) {
            MPI_File_read_at(f, 8 * k, &x, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
            x = 0.5 * x + step;
            MPI_File_write_at(f, 8 * k, &x, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
        }
    }
    MPI_File_close(&f);
    MPI_Finalize();
    return 0;
}
