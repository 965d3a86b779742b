/* A file of MPI in a program that calls the library by hand. */
#define CCCP_FILES
#ifdef CCCP_PLAIN
#include <mpi.h>
#else
#include <cccp_mpi.h>
#endif
#include <stdio.h>

int main(int argc, char **argv)
{
    long step = 0;
    int rank, size;
    double sum = 0.0;
    MPI_File file = MPI_FILE_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifndef CCCP_PLAIN
    if (CCCP_Init_MPI(&argc, &argv, MPI_COMM_WORLD) != CCCP_OK)
        return 1;
    CCCP_Register(&step, 1, CCCP_LONG, "step");
    CCCP_Register(&sum, 1, CCCP_DOUBLE, "sum");
    CCCP_Register(&file, 1, CCCP_MPI_FILE, "file");
    if (CCCP_Jump_next() == 1)
        goto resume;
#endif
    MPI_File_open(MPI_COMM_WORLD, "sums.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    for (step = 0; step < 20; step++) {
#ifndef CCCP_PLAIN
    resume:
        CCCP_Do_checkpoint(1);
#endif
        sum += step * (rank + 1);
        MPI_File_write_ordered(file, &sum, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
    if (rank == 0)
        printf("%g\n", sum);
    MPI_File_close(&file);
#ifndef CCCP_PLAIN
    CCCP_Shutdown();
#endif
    MPI_Finalize();
    return 0;
}
