/* Handles that MPI defines and memory of the program lie in one struct, and pointers of no type lead to one or the other. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct part {
    MPI_Datatype type;
    MPI_Comm comm;
    MPI_Op operation;
    int count;
    double *values;
    void *any, *tag;
};

struct world {
    struct part *parts;
    int *order;
    MPI_Request *requests;
    void *slots[4];
};

static struct world world;

static void *slot(int which)
{
    return which < 4 ? world.slots[which] : NULL;
}

static void fill(struct part *part, int count, int rank)
{
    part->type = MPI_DOUBLE;
    part->comm = MPI_COMM_WORLD;
    part->operation = count % 3 ? MPI_SUM : MPI_MAX;
    part->count = count;
    part->values = malloc(count * sizeof *part->values);
    for (int i = 0; i < count; i++)
        part->values[i] = rank + 1.0 / (i + 1);
    part->any = part->values;
    part->tag = count > 5 ? (void *)part->type : (void *)part->values;
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    world.parts = calloc(3, sizeof *world.parts);
    world.order = malloc(3 * sizeof *world.order);
    world.requests = malloc(3 * sizeof *world.requests);
    for (int i = 0; i < 3; i++) {
        fill(&world.parts[i], 5 + i, rank);
        world.order[i] = 2 - i;
        world.requests[i] = MPI_REQUEST_NULL;
        world.slots[i] = i == 2 ? (void *)world.order : (void *)world.parts[i].values;
    }
    world.slots[3] = world.parts;
    for (int step = 0; step < 40; step++) {
        double sums[16];
        for (int i = 0; i < 3; i++) {
            struct part *part = &((struct part *)slot(3))[((int *)slot(2))[i]];
            double *values = part->any;
            if (part->tag == (void *)MPI_DOUBLE) values[0] += 1e-3;
            MPI_Allreduce(values, sums, part->count, part->type, part->operation, part->comm);
            for (int k = 0; k < part->count; k++)
                part->values[k] = 0.5 * part->values[k] + 0.25 * sums[k] / size + step * 1e-3;
        }
    }
    double all = 0, total;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < world.parts[i].count; k++)
            all += world.parts[i].values[k];
    MPI_Reduce(&all, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g\n", total);
    MPI_Finalize();
    return 0;
}
