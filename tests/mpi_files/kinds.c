#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Files of MPI of many kinds, written and read in a time loop. */
struct outputs {
    MPI_File rows; /* individual pointers, a view of strided blocks */
    MPI_File log;  /* the shared pointer, in order */
    MPI_File none;
};

static int rank, size;
static struct outputs out;
static double all_parts[240];

static void record(MPI_File own, long step, double value)
{
    char line[64];
    int length = snprintf(line, sizeof line, "rank %d step %ld value %.6f\n", rank, step, value);
    MPI_File_write(own, line, length, MPI_CHAR, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long steps = argc > 1 ? atol(argv[1]) : 60;
    MPI_File input, own, at, half, end;
    char name[64];
    double part[4];

    /* The input is written first, by each rank what it reads later. */
    for (int i = 0; i < 240; i++)
        all_parts[i] = i + rank * 0.25;
    MPI_Datatype chunk, strided;
    MPI_Type_contiguous(4, MPI_DOUBLE, &chunk);
    MPI_Type_create_resized(chunk, 0, size * 4 * sizeof(double), &strided);
    MPI_Type_commit(&strided);
    MPI_File_open(MPI_COMM_WORLD, "input.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &input);
    MPI_File_set_view(input, rank * 4 * sizeof(double), MPI_DOUBLE, strided, "native", MPI_INFO_NULL);
    MPI_File_write_all(input, all_parts, 240, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&input);

    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &pair);
    MPI_File_open(MPI_COMM_WORLD, "input.dat", MPI_MODE_RDONLY, MPI_INFO_NULL, &input);
    MPI_File_set_view(input, rank * 4 * sizeof(double), MPI_DOUBLE, strided, "native", MPI_INFO_NULL);

    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "cb_nodes", "1");
    MPI_File_open(MPI_COMM_WORLD, "rows.dat", MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY, hints, &out.rows);
    MPI_Info_free(&hints);
    int lengths[3] = {1, 2, 1}, places[3] = {rank, size + 2 * rank, 3 * size + rank};
    MPI_Datatype indexed, row;
    MPI_Type_indexed(3, lengths, places, MPI_DOUBLE, &indexed);
    MPI_Type_create_resized(indexed, 0, 4 * size * sizeof(double), &row);
    MPI_Type_commit(&row);
    MPI_File_set_view(out.rows, 16, MPI_DOUBLE, row, "native", MPI_INFO_NULL);
    MPI_Type_free(&indexed);
    MPI_Type_free(&row);

    MPI_File_open(MPI_COMM_WORLD, "log.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out.log);
    out.none = MPI_FILE_NULL;
    snprintf(name, sizeof name, "own-%d.dat", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_APPEND, MPI_INFO_NULL, &own);
    MPI_File_open(MPI_COMM_WORLD, "at.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &at);
    snprintf(name, sizeof name, "half-%d.dat", rank % 2);
    MPI_File_open(pair, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &half);
    MPI_File_open(MPI_COMM_WORLD, "end.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &end);
    MPI_File_set_atomicity(end, 1);
    int in_pair, pair_size;
    MPI_Comm_rank(pair, &in_pair);
    MPI_Comm_size(pair, &pair_size);

    double sum = 0;
    for (long step = 0; step < steps; step++) {
        MPI_File_read(input, part, 4, MPI_DOUBLE, MPI_STATUS_IGNORE);
        double value = part[0] + part[1] + part[2] + part[3], all;
        MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum += all;
        for (int i = 0; i < 4; i++)
            part[i] += sum;
        MPI_File_write_all(out.rows, part, 4, MPI_DOUBLE, MPI_STATUS_IGNORE);
        char line[64];
        int length = snprintf(line, sizeof line, "step %ld rank %d sum %g\n", step, rank, sum);
        if (step % 3 == rank % 3)
            length = 0;
        MPI_File_write_ordered(out.log, line, length, MPI_CHAR, MPI_STATUS_IGNORE);
        record(own, step, value);
        MPI_Request request;
        MPI_File_iwrite_at(at, ((steps - 1 - step) * size + rank) * sizeof sum, &sum, 1, MPI_DOUBLE, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_File_write_at_all(half, (step * pair_size + in_pair) * sizeof sum, &value, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
        if (rank == 0) {
            MPI_File_seek(end, 0, MPI_SEEK_END);
            MPI_File_write(end, &all, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
        }
    }
    MPI_File_close(&input);
    MPI_File_close(&out.rows);
    MPI_File_close(&out.log);
    MPI_File_close(&own);
    MPI_File_close(&at);
    MPI_File_close(&half);
    MPI_File_close(&end);
    if (out.none != MPI_FILE_NULL)
        printf("a file\n");
    if (rank == 0)
        printf("%d ranks: %.10g\n", size, sum);
    MPI_Type_free(&strided);
    MPI_Type_free(&chunk);
    MPI_Comm_free(&pair);
    MPI_Finalize();
    return 0;
}
