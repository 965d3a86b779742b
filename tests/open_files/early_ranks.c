/* Opens its files before MPI_Init and init, in a helper with a typedef of its own; without a mark. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    FILE *file;
    int rank;
} log_type;

static log_type opened(const char *name)
{
    log_type log = {fopen(name, "w"), -1};
    if (log.file == NULL)
        exit(1);
    fprintf(log.file, "opened before MPI_Init\n");
    return log;
}

int main(int argc, char **argv)
{
    static double x[1000], sum;
    char name[64];
    log_type log;

    /* Each process has a directory of its own or a rank in its environment; so it is here. */
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    snprintf(name, sizeof name, "early-%s.txt", rank != NULL ? rank : "alone");
    log = opened(name);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &log.rank);
    for (int step = 0; step < 15; step++) {
        double own = 0;
        for (int k = 0; k < 200000; k++) {
            x[k % 1000] += 1.0 / (k + step + 1);
            own += x[k % 1000];
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        fprintf(log.file, "rank %d, step %d: %.17g\n", log.rank, step, sum);
    }
    MPI_Finalize();
    fclose(log.file);
    return 0;
}
