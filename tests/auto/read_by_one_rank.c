/* Rank 0 takes the grid of ranks out of a line of text that ends with its function; all make a communicator of it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, columns, rows, color;
static MPI_Comm grid;

static void read_grid(const char *text)
{
    char line[80];

    if (rank == 0) {
        strncpy(line, text, sizeof line - 1);
        line[sizeof line - 1] = '\0';
        sscanf(line, "%d %d", &columns, &rows);
    }
    MPI_Bcast(&columns, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&rows, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    read_grid("2 1");
    color = 12 / (columns * rows);
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &grid);

    double *u = calloc(100, sizeof *u);
    for (int step = 0; step < 8; step++) {
        double own = 0.0, all = 0.0;
        for (int i = 0; i < 100; i++) {
            u[i] += 0.5 * i + step + rank;
            own += u[i];
        }
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        u[step] += all / columns;
    }
    double all = 0.0;
    MPI_Allreduce(&u[7], &all, 1, MPI_DOUBLE, MPI_SUM, grid);
    if (rank == 0)
        printf("%g %g\n", u[0], all);
    free(u);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
