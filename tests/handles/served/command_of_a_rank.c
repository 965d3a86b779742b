/* One rank asks a command in some passes, and closes its stream a pass later: what all ranks take in between is no generation, and the
 * next one is. What the words of the command name is asked before the loop, and never closed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *asked;

static void ask(int pass)
{
    char command[64];
    snprintf(command, sizeof command, "echo %d", 3 * pass);
    asked = popen(command, "r");
}

static long answer(void)
{
    long number = 0;
    if (fscanf(asked, "%ld", &number) != 1)
        exit(1);
    pclose(asked);
    asked = NULL;
    return number;
}

static void where(int argc, char **argv, char *into)
{
    if (argc > 3) {
        FILE *from = popen(argv[3], "r");
        if (fscanf(from, "%30s", into) != 1)
            exit(1);
    }
}

int main(int argc, char **argv)
{
    char name[32] = "here";
    long sum = 0, all;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    where(argc, argv, name);
    for (int pass = 0; pass < 24; pass++) {
        if (rank == size - 1 && asked)
            sum += answer();
        if (rank == size - 1 && pass % 5 == 3)
            ask(pass);
        sum += pass * (rank + 1);
        MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        sum = sum * 7 % 1000 + all % 13;
    }
    if (rank == 0)
        printf("%s %ld %ld\n", name, sum, all);
    MPI_Finalize();
    return 0;
}
