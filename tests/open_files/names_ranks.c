/* Rank 0 makes, renames and removes directories in which all ranks write. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void must(int result, const char *what, int step)
{
    if (result != 0) {
        perror(what);
        fprintf(stderr, "in step %d\n", step);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void write_to(const char *directory, int rank, int step)
{
    char name[64];
    snprintf(name, sizeof name, "%s/rank%d", directory, rank);
    FILE *file = fopen(name, "w");
    must(file == NULL, name, step);
    fprintf(file, "rank %d step %d\n", rank, step);
    fclose(file);
}

static void remove_all(const char *directory, int ranks, int step)
{
    char name[64];
    for (int rank = 0; rank < ranks; rank++) {
        snprintf(name, sizeof name, "%s/rank%d", directory, rank);
        must(unlink(name), name, step);
    }
    must(rmdir(directory), directory, step);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    double value = 1, sum = 0;
    char name[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 1; step <= 16; step++) {
        for (int i = 0; i < 100000; i++)
            value = value * 0.999 + (i + rank) % 7;
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        snprintf(name, sizeof name, "step%02d", step);
        if (rank == 0) {
            must(mkdir(name, 0755), "mkdir", step);
            must(mkdir("part", 0755), "mkdir", step);
            if (step > 2)
                remove_all("old", ranks, step);
            if (step > 1)
                must(rename("whole", "old"), "rename", step);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        write_to(name, rank, step);
        write_to("part", rank, step);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            must(rename("part", "whole"), "rename of what was made", step);
            if (step > 1)
                must(unlink("latest"), "unlink", step);
            must(symlink(name, "latest"), "symlink", step);
            snprintf(name, sizeof name, "step%02d", step - 3);
            if (step > 3)
                remove_all(name, ranks, step);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%.17g\n", sum);
    MPI_Finalize();
    return 0;
}
