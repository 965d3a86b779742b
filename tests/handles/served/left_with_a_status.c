/* What ends the program with a status that it is given: its calls are the ends, and those that fail are none. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static double u[64];
static int rank;

static void leave(int status)
{
    MPI_Finalize();
    exit(status);
}

static FILE *opened(const char *name)
{
    FILE *file = fopen(name, "a");
    if (!file)
        leave(-1);
    return file;
}

static void say(const char *format, ...)
{
    FILE *file = opened("left.txt");
    va_list all;
    va_start(all, format);
    vfprintf(file, format, all);
    va_end(all);
    fclose(file);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 5) {
        say("too many\n");
        leave(0);
    }
    double sum = 0;
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < 64; i++)
            u[i] = u[i] * 0.5 + i + rank;
        MPI_Allreduce(&u[step], &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        u[0] += sum;
        if (step % 10 == 0 && rank == 0)
            say("%d %g\n", step, u[0]);
    }
    if (rank == 0)
        printf("%.17g\n", u[0]);
    leave(0);
}
