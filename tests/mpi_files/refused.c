/* Files of MPI that cannot come back, one way at a time. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#pragma cccp init
    const char *way = argc > 1 ? argv[1] : "";
    static double values[3];
    static int rank;
    MPI_File file = MPI_FILE_NULL, other = MPI_FILE_NULL;
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    long step;

#pragma cccp execute on restart
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cccp end execute
    if (strcmp(way, "sequential") == 0)
        mode |= MPI_MODE_SEQUENTIAL;
    if (strcmp(way, "unseen") == 0)
        PMPI_File_open(MPI_COMM_WORLD, "out.dat", mode, MPI_INFO_NULL, &file);
    else
        MPI_File_open(MPI_COMM_WORLD, "out.dat", mode, MPI_INFO_NULL, &file);
    if (strcmp(way, "alone") == 0)
        MPI_File_write_shared(file, values, 3, MPI_DOUBLE, MPI_STATUS_IGNORE);
    if (strcmp(way, "relative") == 0)
        MPI_File_seek_shared(file, 8, MPI_SEEK_CUR);
    if (strcmp(way, "begun") == 0)
        MPI_File_write_at_all_begin(file, 24 * rank, values, 3, MPI_DOUBLE);
    if (strcmp(way, "removed") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            remove("out.dat");
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (strcmp(way, "some") != 0 || rank == 0)
        other = file;
#pragma cccp register(step, way, other)
    for (step = 0; step < 6; step++) {
#pragma cccp checkpoint
        MPI_Barrier(MPI_COMM_WORLD);
        if (strcmp(way, "used") == 0)
            MPI_File_write_at_all(other, 24 * (2 * step + rank), values, 3, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
#pragma cccp shutdown
    if (strcmp(way, "begun") == 0)
        MPI_File_write_at_all_end(file, values, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%ld\n", step);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
