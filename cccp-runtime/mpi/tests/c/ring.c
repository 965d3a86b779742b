/* By hand over MPI: every rank adds up what its neighbours send; two datatypes that are not basic. */
#include <stdio.h>
#include <stdlib.h>

#include "cccp_mpi.h"

static void require(int code)
{
    if (code != CCCP_OK)
        exit(8);
}

int main(int argc, char **argv)
{
    enum { n = 6, steps = 5 };
    int step = 0, rank, size;
    double values[2 * n];
    struct { double value; int place; } best = {-1, -1};
    MPI_Datatype pair;
    if (argc > 1 && argv[1][0] == 'e')
        return CCCP_Init_MPI(&argc, &argv, MPI_COMM_WORLD) == CCCP_ERROR_STATE ? 0 : 7;
    MPI_Init(&argc, &argv);
    require(CCCP_Init_MPI(&argc, &argv, MPI_COMM_WORLD));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < 2 * n; i++)
        values[i] = rank + i;
    require(CCCP_Register_MPI(&step, 1, MPI_INT, "step"));
    require(CCCP_Register_MPI(values, n, pair, "values"));
    require(CCCP_Register_MPI(&best, 1, MPI_DOUBLE_INT, "best"));
    if (CCCP_Jump_next() == 1)
        goto resume;
    for (step = 0; step < steps; step++) {
        double from_left[2 * n];
        MPI_Sendrecv(values, n, pair, (rank + 1) % size, 1, from_left, n, pair, (rank + size - 1) % size, 1,
            MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < 2 * n; i++)
            values[i] = 0.5 * values[i] + 0.75 * from_left[i] + step;
        if (values[0] > best.value) {
            best.value = values[0];
            best.place = step;
        }
    resume:
        require(CCCP_Do_checkpoint(1));
    }
    double sum = 0, total;
    for (int i = 0; i < 2 * n; i++)
        sum += (i + 1) * values[i] + best.value * best.place;
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d ranks: %.17g\n", size, total);
    require(CCCP_Shutdown());
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
