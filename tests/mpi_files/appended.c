/* Rank 0 appends to a file that rank 1 has open, too, and goes on while that one has not come to its checkpoint. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, step;
    long sum = 0;
    MPI_File file;
    MPI_Init(&argc, &argv);
#pragma cccp init
#pragma cccp execute on restart
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cccp end execute
    MPI_File_open(MPI_COMM_WORLD, "out.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
#pragma cccp register(step, sum, file)
    for (step = 0; step < 20; step++) {
        /* Rank 1 waits until rank 0 is three steps ahead. */
        MPI_Offset end = 0, enough = (step < 17 ? step + 3 : 20) * (MPI_Offset)sizeof sum;
        while (rank == 1 && end < enough)
            MPI_File_get_size(file, &end);
#pragma cccp checkpoint
        sum += step * step;
        if (rank == 0) {
            MPI_File_seek(file, 0, MPI_SEEK_END);
            MPI_File_write(file, &sum, 1, MPI_LONG, MPI_STATUS_IGNORE);
        }
    }
    MPI_File_close(&file);
    if (rank == 0)
        printf("%ld\n", sum);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
