/* Communicators, groups, datatypes, an operation and requests, some of them persistent, in memory that is carved from larger blocks
   and found by numbers that are no pointers: only a fixed heap serves that. A freed handle stays in it, too. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KEY ((uintptr_t)0x5555555555)

struct arena { char *bytes; size_t used, size; };

static void *carve(struct arena *arena, size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (arena->used + size > arena->size) {
        arena->size = size > 4096 ? size : 4096;
        arena->bytes = malloc(arena->size);
        arena->used = 0;
    }
    void *found = arena->bytes + arena->used;
    arena->used += size;
    return found;
}

struct level {
    MPI_Comm comm, half;
    MPI_Datatype row;
    MPI_Op op;
    MPI_Group group;
    MPI_Request lasting[2];
    double *values;
    uintptr_t next;
};

struct solver {
    uintptr_t levels;
    MPI_Request *requests;
    MPI_Comm gone;
    long count;
};

static void mix(void *in, void *inout, int *length, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *length; i++) ((double *)inout)[i] = 0.5 * ((double *)inout)[i] + ((double *)in)[i] * 0.25;
}

static struct solver *set_up(struct arena *arena) {
    struct solver *solver = carve(arena, sizeof *solver);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    solver->levels = KEY;
    solver->count = 0;
    MPI_Comm passing;
    MPI_Comm_dup(MPI_COMM_WORLD, &passing);
    solver->gone = passing;
    MPI_Comm_free(&passing);
    solver->requests = carve(arena, 2 * sizeof(MPI_Request));
    solver->requests[0] = solver->requests[1] = MPI_REQUEST_NULL;
    for (int i = 0; i < 3; i++) {
        struct level *level = carve(arena, sizeof *level);
        MPI_Comm_dup(MPI_COMM_WORLD, &level->comm);
        MPI_Comm_split(level->comm, i % 2 ? rank : 0, rank, &level->half);
        MPI_Type_contiguous(4, MPI_DOUBLE, &level->row);
        MPI_Type_commit(&level->row);
        MPI_Op_create(mix, 1, &level->op);
        MPI_Comm_group(level->comm, &level->group);
        level->values = carve(arena, 12 * sizeof(double));
        for (int j = 0; j < 12; j++) level->values[j] = rank + i + j * 0.5;
        MPI_Recv_init(level->values + 8, 1, level->row, (rank + size - 1) % size, 2, level->comm, &level->lasting[0]);
        MPI_Send_init(level->values, 4, MPI_DOUBLE, (rank + 1) % size, 2, level->comm, &level->lasting[1]);
        level->next = solver->levels;
        solver->levels = (uintptr_t)level ^ KEY;
    }
    return solver;
}

static void step(struct solver *solver) {
    int rank, size, members;
    for (struct level *level = (struct level *)(solver->levels ^ KEY); level; level = (struct level *)(level->next ^ KEY)) {
        MPI_Comm_rank(level->comm, &rank);
        MPI_Comm_size(level->comm, &size);
        MPI_Group_size(level->group, &members);
        MPI_Irecv(level->values + 4, 1, level->row, (rank + size - 1) % size, 1, level->comm, &solver->requests[0]);
        MPI_Isend(level->values, 1, level->row, (rank + 1) % size, 1, level->comm, &solver->requests[1]);
        MPI_Waitall(2, solver->requests, MPI_STATUSES_IGNORE);
        MPI_Startall(2, level->lasting);
        MPI_Waitall(2, level->lasting, MPI_STATUSES_IGNORE);
        double in[4], out[4];
        for (int j = 0; j < 4; j++) in[j] = level->values[4 + j] + 0.5 * level->values[8 + j];
        MPI_Allreduce(in, out, 4, MPI_DOUBLE, MPI_SUM, level->half);
        for (int j = 0; j < 4; j++) level->values[j] = 0.9 * level->values[j] + 0.01 * out[j] + members * 0.001;
        solver->count++;
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    struct arena arena = {0};
    struct solver *solver = set_up(&arena);
    for (int pass = 0; pass < 40; pass++) step(solver);
    double sum = 0, total = 0;
    for (struct level *level = (struct level *)(solver->levels ^ KEY); level; level = (struct level *)(level->next ^ KEY))
        for (int j = 0; j < 12; j++) sum += level->values[j] * (j + 1);
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, ((struct level *)(solver->levels ^ KEY))->op, ((struct level *)(solver->levels ^ KEY))->comm);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) printf("%ld %.17g\n", solver->count, total);
    MPI_Finalize();
    return 0;
}
