#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* 2-D heat, rows split among ranks; the field goes into one big file and into numbered ones. */
static int rank, size, rows, n = 32;
static double *u, *v;

static void numbered(long step, MPI_Datatype block)
{
    char name[64];
    MPI_File out;
    snprintf(name, sizeof name, "field-%04ld.dat", step);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &out);
    MPI_File_set_view(out, 0, MPI_DOUBLE, block, "native", MPI_INFO_NULL);
    MPI_File_write_all(out, u + n, rows * n, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long steps = argc > 1 ? atol(argv[1]) : 40;
    rows = n / size;
    u = calloc((rows + 2) * n, sizeof *u);
    v = calloc((rows + 2) * n, sizeof *v);
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < n; j++)
            u[i * n + j] = (rank * rows + i) * 0.25 + j;
    int all[2] = {n, n}, part[2] = {rows, n}, start[2] = {rank * rows, 0};
    MPI_Datatype block;
    MPI_Type_create_subarray(2, all, part, start, MPI_ORDER_C, MPI_DOUBLE, &block);
    MPI_Type_commit(&block);
    MPI_File big;
    MPI_File_open(MPI_COMM_WORLD, "field.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &big);
    MPI_File_set_view(big, 0, MPI_DOUBLE, block, "native", MPI_INFO_NULL);
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (long step = 0; step < steps; step++) {
        MPI_Sendrecv(u + n, n, MPI_DOUBLE, up, 0, u + (rows + 1) * n, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + rows * n, n, MPI_DOUBLE, down, 1, u, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= rows; i++)
            for (int j = 1; j < n - 1; j++)
                v[i * n + j] = u[i * n + j] + 0.2 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - 4 * u[i * n + j]);
        double *t = u; u = v; v = t;
        if (step % 4 == 0) {
            MPI_File_write_all(big, u + n, rows * n, MPI_DOUBLE, MPI_STATUS_IGNORE);
            numbered(step, block);
        }
    }
    MPI_File_close(&big);
    MPI_Type_free(&block);
    MPI_Finalize();
    return 0;
}
