/* Files of MPI in a program whose messages are counted: the argument says what is under way at its checkpoints. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 8, EACH = 4 };

int main(int argc, char **argv)
{
    int rank, size, step;
    MPI_Offset place;
    MPI_File file;
    MPI_Request request = MPI_REQUEST_NULL, one = MPI_REQUEST_NULL;
    double values[EACH] = {0.0}, sum = 0.0;
    const char *way;
    MPI_Init(&argc, &argv);
#pragma cccp init
#pragma cccp execute on restart
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    way = argc > 1 ? argv[1] : "";
#pragma cccp end execute
    MPI_File_open(MPI_COMM_WORLD, "out.dat", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
#pragma cccp register(step, place, values, sum, file, request)
    for (step = 0; step < STEPS; step++) {
        place = (step * size + rank) * 3 * EACH;
        values[step % EACH] += step + rank;
        MPI_File_write_ordered(file, values, step % EACH, MPI_DOUBLE, MPI_STATUS_IGNORE);
        MPI_File_iwrite_at(file, place + 1000, values, EACH, MPI_DOUBLE, &one);
        MPI_Wait(&one, MPI_STATUS_IGNORE);
        MPI_File_iwrite_at_all(file, place + EACH + 1000, values, EACH, MPI_DOUBLE, &one);
        MPI_Waitall(1, &one, MPI_STATUSES_IGNORE);
        MPI_File_sync(file);
        if (!strcmp(way, "request"))
            MPI_File_iwrite_at(file, place + 3 * EACH + 1000, values, EACH, MPI_DOUBLE, &request);
        if (strcmp(way, "collective") || rank == 0)
            MPI_File_write_at_all_begin(file, place + 2 * EACH + 1000, values, EACH, MPI_DOUBLE);
        if (strcmp(way, "split") && (strcmp(way, "collective") || rank == 0))
            MPI_File_write_at_all_end(file, values, MPI_STATUS_IGNORE);
#pragma cccp checkpoint messages(counted)
        if (!strcmp(way, "collective") && rank != 0) {
            MPI_File_write_at_all_begin(file, place + 2 * EACH + 1000, values, EACH, MPI_DOUBLE);
            MPI_File_write_at_all_end(file, values, MPI_STATUS_IGNORE);
        }
        if (!strcmp(way, "split"))
            MPI_File_write_at_all_end(file, values, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Allreduce(&values[step % EACH], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        values[0] += 0.25 * sum;
    }
    MPI_File_close(&file);
    if (rank == 0)
        printf("%s: %.6f\n", way, sum);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
