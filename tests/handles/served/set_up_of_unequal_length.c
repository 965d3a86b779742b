/* Each rank divides a box of its own by prime factors, in loops that ranks iterate differently often and that seem to be most of the
   work. They yield to the steps, which go over the same data again and again. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct box {
    int size[4];
    int count[4];
};

static void divide(struct box *box, int wanted)
{
    int primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
    int length = sizeof primes / sizeof *primes;
    int parts = 1, k, d, longest;
    box->count[0] = box->count[1] = box->count[2] = box->count[3] = 1;
    while (parts < wanted) {
        k = length - 1;
        while ((wanted / parts) % primes[k] != 0 && k > 0)
            --k;
        for (longest = 0, d = 0; d < 4; d++)
            if (box->size[d] > longest && box->size[d] % primes[k] == 0)
                longest = box->size[d];
        for (d = 0; d < 4; d++)
            if (box->size[d] == longest && box->count[d] > 1)
                break;
        if (d > 3)
            for (d = 0; d < 4; d++)
                if (box->size[d] == longest)
                    break;
        parts *= primes[k];
        box->size[d] /= primes[k];
        box->count[d] *= primes[k];
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    struct box box;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int d = 0; d < 4; d++)
        box.size[d] = argc > d + 1 ? atoi(argv[d + 1]) : 8;
    int steps = argc > 5 ? atoi(argv[5]) : 24;
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(box.size, 4, MPI_INT, 0, MPI_COMM_WORLD);
    divide(&box, 2 + rank % 3);
    int up = (rank + 1) % ranks, down = (rank + ranks - 1) % ranks;
    double mine[400], theirs[400] = {0}, sum = 0, all;
    for (int i = 0; i < 400; i++)
        mine[i] = rank + i + box.size[i % 4];
    for (int step = 0; step < steps; step++) {
        MPI_Sendrecv(mine, 400, MPI_DOUBLE, up, 1, theirs, 400, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double here = 0;
        for (int i = 0; i < 400; i++) {
            mine[i] = 0.5 * mine[i] + 0.25 * theirs[i] + step;
            here += mine[i];
        }
        MPI_Allreduce(&here, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum = 0.5 * sum + all;
    }
    double first;
    MPI_Reduce(&mine[0], &first, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g %.17g\n", sum, first);
    MPI_Finalize();
    return 0;
}
