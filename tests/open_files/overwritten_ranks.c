/* Ranks that change a file where it lies: one of their own, one that all open together before anybody writes, and one in turn,
   each its own part, where nobody can tell what was in it. For three ranks. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void change(const char *name, int rank, long *sum, int step)
{
    long all[3];
    FILE *f = fopen(name, "r+b");
    if (f == NULL || fread(all, sizeof all[0], 3, f) != 3)
        exit(1);
    *sum = (*sum * 31 + all[rank]) % 1000003;
    MPI_Barrier(MPI_COMM_WORLD);
    fseek(f, rank * (long)sizeof all[0], SEEK_SET);
    all[rank] = all[rank] * 7 % 1000003 + step;
    fwrite(&all[rank], sizeof all[0], 1, f);
    fclose(f);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A file that one rank makes, and must make, and the others open to add their parts. */
static void make(int rank, long sum, int step)
{
    char name[32];
    sprintf(name, "new-%d.txt", step);
    for (int turn = 0; turn < 3; turn++) {
        if (turn == rank) {
            int file = open(name, rank == 0 ? O_RDWR | O_CREAT | O_EXCL : O_RDWR, 0644);
            if (file < 0 || pwrite(file, &sum, sizeof sum, rank * (long)sizeof sum) < 0)
                exit(1);
            close(file);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* A file of one rank that the next one reads and removes; and one that a rank reads and writes anew. */
static long hand_over(int rank, long sum)
{
    char name[32];
    long got = 0;
    FILE *f;
    sprintf(name, "handed-%d.txt", rank);
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL, 0644);
    if (file < 0 || write(file, &sum, sizeof sum) < 0)
        exit(1);
    close(file);
    MPI_Barrier(MPI_COMM_WORLD);
    sprintf(name, "handed-%d.txt", (rank + 1) % 3);
    f = fopen(name, "rb");
    if (f == NULL || fread(&got, sizeof got, 1, f) != 1)
        exit(1);
    fclose(f);
    remove(name);
    sprintf(name, "again-%d.txt", rank);
    f = fopen(name, "r");
    if (f != NULL) {
        fscanf(f, "%ld", &sum);
        fclose(f);
    }
    f = fopen(name, "w");
    fprintf(f, "%ld\n", (sum * 3 + got) % 1000003);
    fclose(f);
    MPI_Barrier(MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    int rank;
    long zeros[3] = {1, 2, 3}, sum = 0;
    char own[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sprintf(own, "own-%d.txt", rank);
    const char *names[] = {own, "together.txt", "turns.txt"};
    for (int i = 0; i < 3; i++)
        if (i == 0 || rank == 0) {
            FILE *f = fopen(names[i], "wb");
            fwrite(zeros, sizeof zeros[0], 3, f);
            fclose(f);
        }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int step = 0; step < 20; step++) {
        change(own, rank, &sum, step);
        change("together.txt", rank, &sum, step);
        make(rank, sum, step);
        sum = (sum + hand_over(rank, sum)) % 1000003;
        if (argc > 1)
            for (int turn = 0; turn < 3; turn++) {
                if (turn == rank) {
                    FILE *f = fopen("turns.txt", "r+b");
                    fseek(f, rank * (long)sizeof sum, SEEK_SET);
                    fwrite(&sum, sizeof sum, 1, f);
                    fclose(f);
                }
                MPI_Barrier(MPI_COMM_WORLD);
            }
    }
    printf("%d %ld\n", rank, sum);
    MPI_Finalize();
    return 0;
}
