/* A file of MPI in a block that a fixed heap saves as it is: only with -DFILE_APART it is in a variable. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct log {
    int lines;
    MPI_File file;
    double x[8];
};

static MPI_File apart;
#ifdef FILE_APART
#define FILE_OF(log) apart
#else
#define FILE_OF(log) (log)->file
#endif

int main(int argc, char **argv)
{
    struct log *log = calloc(1, sizeof *log);

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "log.bin", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &FILE_OF(log));
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < 8; i++)
            log->x[i] += i * step;
        MPI_File_write_ordered(FILE_OF(log), log->x, 8, MPI_DOUBLE, MPI_STATUS_IGNORE);
        log->lines++;
    }
    MPI_File_close(&FILE_OF(log));
    printf("%g %d\n", log->x[3], log->lines);
    MPI_Finalize();
    return 0;
}
