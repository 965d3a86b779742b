/* A field on rings of ranks, written to a file by rank 0 alone; DEFINE says which ranks come to the loops that write:
   ALONE: rank 0, and the only rank of a run with one; SOME: ranks with even numbers, whatever is counted there. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct world {
    int rank, size;
    int *near;
};

static int is_first(const struct world *world) { return world->rank == 0; }

static double written;

static void save(FILE *out, const double *field, int n)
{
    double buffer[8];
    int count = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            buffer[count++] = field[i] / (1 + j);
            if (count == 8) {
                fwrite(buffer, sizeof *buffer, count, out);
                count = 0;
            }
        }
        written += field[i];
    }
    fwrite(buffer, sizeof *buffer, count, out);
}

#ifdef ALONE
static void save_all(FILE *out, const struct world *world, double *field, double *other, int n)
{
    int size, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)world;
    if (1 < size) {
        if (rank == 0) {
            save(out, field, n);
            for (int from = 1; from < size; from++) {
                MPI_Recv(other, n, MPI_DOUBLE, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                save(out, other, n);
            }
        } else {
            MPI_Send(field, n, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
        }
    } else {
        save(out, field, n);
    }
}
#else
static void save_all(FILE *out, const struct world *world, double *field, double *other, int n)
{
    (void)other;
    for (int share = 0; share < n; share += 1 + 4 * (world->rank % 2))
        for (int i = 0; i < n; i++)
            field[i] += 0.001 / (1 + share);
    if (is_first(world))
        save(out, field, n);
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct world world;
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    world.near = malloc(2 * sizeof *world.near);
    world.near[0] = (world.rank + world.size - 1) % world.size;
    world.near[1] = (world.rank + 1) % world.size;
    double *field = malloc(n * sizeof *field), *other = malloc(n * sizeof *other);
    for (int i = 0; i < n; i++)
        field[i] = world.rank + 1.0 / (i + 1);
    FILE *out = world.rank == 0 ? fopen("frames.bin", "w") : NULL;
    MPI_Sendrecv(field, n, MPI_DOUBLE, world.near[0], 3, other, n, MPI_DOUBLE, world.near[1], 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    save_all(out, &world, field, other, n);
    for (int step = 0; step < steps; step++) {
        int to = world.near[step % 2], from = world.near[1 - step % 2];
        MPI_Sendrecv(field, n, MPI_DOUBLE, to, 3, other, n, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                field[i] += 0.01 * (other[j] - field[i]) / (1 + i + j);
        if (step % 3 == 0)
            save_all(out, &world, field, other, n);
    }
    if (out)
        fclose(out);
    double all;
    MPI_Reduce(&field[n / 2], &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (world.rank == 0)
        printf("%.17g %.17g\n", all, written);
    MPI_Finalize();
    return 0;
}
