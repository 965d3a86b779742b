/* A solver whose steps are called through a pointer in its struct. Letters that lead to the solver go round as bytes; MPI follows no pointer in
 * them and calls nothing that they lead to. MPI is begun and asked in functions that get addresses of main's variables. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct solver {
    int (*step)(struct solver *);
    int points, steps, done;
    double *now;
};

struct letter {
    struct solver *from;
    double sum;
};

static int start(int *argc, char ***argv)
{
    return MPI_Init(argc, argv);
}

static int add(double *mine, double *all)
{
    return MPI_Allreduce(mine, all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static int post(struct letter *letter, int to, MPI_Request *request)
{
    return MPI_Isend(letter, sizeof *letter, MPI_BYTE, to, 1, MPI_COMM_WORLD, request);
}

static int fetch(struct letter *letter, int from, MPI_Request *request)
{
    return MPI_Irecv(letter, sizeof *letter, MPI_BYTE, from, 1, MPI_COMM_WORLD, request);
}

static int relax(struct solver *solver)
{
    int step, i, rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (step = 0; step < solver->steps; step++) {
        struct letter mine = {solver, 0}, other;
        MPI_Request requests[2];

        for (i = 0; i < solver->points; i++) {
            solver->now[i] = 0.9 * solver->now[i] + 0.1 * ((i * 7 + step) % 13);
            mine.sum += solver->now[i];
        }
        fetch(&other, (rank + 1) % size, &requests[0]);
        post(&mine, (rank + size - 1) % size, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        solver->now[0] += other.sum / solver->points;
    }
    solver->done = step;
    return 0;
}

int main(int argc, char **argv)
{
    struct solver *solver;
    double mine = 0, all = 0;
    int rank, i;

    start(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    solver = malloc(sizeof *solver);
    solver->step = relax;
    solver->points = 200 + rank;
    solver->steps = argc > 1 ? atoi(argv[1]) : 30;
    solver->now = malloc(solver->points * sizeof *solver->now);
    for (i = 0; i < solver->points; i++)
        solver->now[i] = i % 5;
    solver->step(solver);
    for (i = 0; i < solver->points; i++)
        mine += solver->now[i];
    add(&mine, &all);
    if (rank == 0)
        printf("%d steps: %.12g\n", solver->done, all);
    MPI_Finalize();
    return 0;
}
