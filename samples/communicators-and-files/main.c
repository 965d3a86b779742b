/* Particles in two halves of a box: each half has its own communicator, its particles wander from rank
 * to rank with a derived datatype, and every half writes its own log file.
 *
 *     communicators-and-files [PARTICLES_PER_RANK [STEPS [PREFIX_OF_THE_LOG_FILES]]]
 *
 * Communicators, datatypes and open files cannot be saved: "execute on restart" makes them anew. A log
 * file must go on exactly where it was at the checkpoint: what was written to it afterwards belongs
 * to a future that did not happen, and is cut off.
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct particle {
    double position, velocity;
    long id;
    char colour;
};

/* A log file that can be taken up again. `end` is registered, and with it the file's length. */
struct log {
    FILE *file;
    long end;
};

struct group {
    MPI_Comm comm;
    MPI_Datatype particle;
    int rank, size, half;
};

/* `end` comes through a pointer: a block that is executed on restart sees the local scalars as they were
 * when it was first executed, but what a pointer leads to as it was at the checkpoint. */
static void log_open(struct log *log, const char *path)
{
    log->file = fopen(path, log->end > 0 ? "r+" : "w");
    if (log->file == NULL || (log->end > 0 && (ftruncate(fileno(log->file), log->end) != 0
                                               || fseek(log->file, log->end, SEEK_SET) != 0))) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void group_make(struct group *g)
{
    int rank, size;
    int lengths[4] = {1, 1, 1, 1};
    MPI_Aint places[4] = {offsetof(struct particle, position), offsetof(struct particle, velocity),
                          offsetof(struct particle, id), offsetof(struct particle, colour)};
    MPI_Datatype types[4] = {MPI_DOUBLE, MPI_DOUBLE, MPI_LONG, MPI_CHAR}, packed;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    g->half = rank >= (size + 1) / 2;
    MPI_Comm_split(MPI_COMM_WORLD, g->half, rank, &g->comm);
    MPI_Comm_rank(g->comm, &g->rank);
    MPI_Comm_size(g->comm, &g->size);
    MPI_Type_create_struct(4, lengths, places, types, &packed);
    MPI_Type_create_resized(packed, 0, sizeof(struct particle), &g->particle);
    MPI_Type_commit(&g->particle);
    MPI_Type_free(&packed);
}

/* Moves the particles; the fastest one goes to the next rank of the group. */
static void move(const struct group *g, struct particle *particle, long n)
{
    long fastest = 0;
    struct particle guest;

    for (long i = 0; i < n; i++) {
        struct particle *p = &particle[i];
        double x = p->position - 0.5;
        p->velocity -= 0.01 * x * (1.0 + x * x);
        p->position += 0.01 * p->velocity;
        if (p->velocity > particle[fastest].velocity)
            fastest = i;
    }
    particle[fastest].colour = (char)('a' + (particle[fastest].colour - 'a' + 1) % 26);
    MPI_Sendrecv(&particle[fastest], 1, g->particle, (g->rank + 1) % g->size, 0, &guest, 1, g->particle,
                 (g->rank + g->size - 1) % g->size, 0, g->comm, MPI_STATUS_IGNORE);
    particle[fastest] = guest;
}

static double heat(const struct group *g, const struct particle *particle, long n)
{
    double local = 0.0, sum;

    for (long i = 0; i < n; i++)
        local += particle[i].velocity * particle[i].velocity;
    MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, g->comm);
    return sum;
}

int main(int argc, char **argv)
{
    struct log log = {NULL, 0}; /* what stands before init is done in every start */

    MPI_Init(&argc, &argv);
#pragma cccp init

    long n = argc > 1 ? atol(argv[1]) : 200000;
    int steps = argc > 2 ? atoi(argv[2]) : 600;
    const char *prefix = argc > 3 ? argv[3] : "half";
    struct group group;
    int step;

#pragma cccp execute on restart
    group_make(&group);
#pragma cccp end execute

    struct particle *particle = calloc(n, sizeof *particle);
    if (particle == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (long i = 0; i < n; i++) {
        particle[i].position = (double)(i * 31 % 1009) / 1009.0;
        particle[i].velocity = (double)((i + group.half) * 17 % 997) / 997.0 - 0.5;
        particle[i].id = i;
        particle[i].colour = 'a';
    }
#pragma cccp register(n, steps, step, log.end, particle[n])

    if (group.rank == 0) {
#pragma cccp execute on restart
        char path[4096];
        snprintf(path, sizeof path, "%s-%d.log", prefix, group.half);
        log_open(&log, path);
#pragma cccp end execute
    }

    for (step = 0; step < steps; step++) {
        if (log.file != NULL)
            log.end = ftell(log.file);
#pragma cccp checkpoint every(30)
        move(&group, particle, n);
        double now = heat(&group, particle, n);
        if (log.file != NULL)
            fprintf(log.file, "half %d step %d heat %.17g first %ld %c\n", group.half, step, now, particle[0].id,
                    particle[0].colour);
    }

    double mine = heat(&group, particle, n), both = mine;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (group.rank != 0)
        mine = 0.0;
    MPI_Reduce(&mine, &both, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("steps %d heat %.17g\n", steps, both);

#pragma cccp shutdown
    if (log.file != NULL)
        fclose(log.file);
    free(particle);
    MPI_Type_free(&group.particle);
    MPI_Comm_free(&group.comm);
    MPI_Finalize();
    return 0;
}
