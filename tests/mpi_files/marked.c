/* Files of MPI with marks by hand: in a struct, of a communicator that a block makes, opened in a function that has returned. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct diary {
    long lines;
    MPI_File file;
};

static struct diary diary;

static void begin(struct diary *one, MPI_Comm comm, const char *name)
{
    MPI_File_open(comm, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &one->file);
    one->lines = 0;
}

static void note(struct diary *one, int rank, double value)
{
    char line[64];
    int length = snprintf(line, sizeof line, "line %ld of rank %d: %.3f\n", one->lines++, rank, value);
    MPI_File_write_ordered(one->file, line, length, MPI_CHAR, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size, mine;
    MPI_Comm team;
    MPI_Init(&argc, &argv);
#pragma cccp init
    MPI_File fields[2];
    double value = 0.0;
    long step;
    char name[32];
    const long steps = 30;

#pragma cccp execute on restart
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, -rank, &team);
    MPI_Comm_rank(team, &mine);
#pragma cccp end execute
    snprintf(name, sizeof name, "team-%d.dat", rank > 0);
    begin(&diary, team, name);
    MPI_Datatype column, four;
    MPI_Type_vector(4, 1, size, MPI_DOUBLE, &four);
    MPI_Type_create_resized(four, 0, 4 * size * sizeof value, &column);
    MPI_Type_free(&four);
    MPI_Type_commit(&column);
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "field-%d.dat", i);
        MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fields[i]);
        MPI_File_set_view(fields[i], (rank + 8 * i) * sizeof value, MPI_DOUBLE, column, "native", MPI_INFO_NULL);
    }
    MPI_Type_free(&column);
#pragma cccp register(step, value, diary, fields)
    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint
        value += 0.5 * mine + step;
        MPI_Bcast(&value, 1, MPI_DOUBLE, step % size, MPI_COMM_WORLD);
        value += rank;
        note(&diary, rank, value);
        MPI_File_write(fields[step % 2], &value, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
        MPI_File_write_at_all(fields[1], 60 + step, &value, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
    }
#pragma cccp shutdown
    double sum = 0.0;
    MPI_File_seek(fields[0], 0, MPI_SEEK_SET);
    for (int i = 0; i < 15; i++) {
        MPI_File_read(fields[0], &value, 1, MPI_DOUBLE, MPI_STATUS_IGNORE);
        sum += value;
    }
    if (rank == size - 1)
        printf("%.3f\n", sum);
    MPI_File_close(&diary.file);
    MPI_File_close(&fields[0]);
    MPI_File_close(&fields[1]);
    MPI_Comm_free(&team);
    MPI_Finalize();
    return 0;
}
