/* Handles of MPI behind typedefs of typedefs, macros, members of a struct and an array. */
#include <mpi.h>
#include <stdio.h>

#define ROW MPI_Datatype
typedef MPI_Comm comm_t;
typedef comm_t team_t;
typedef ROW row_t;

struct setting {
    team_t team;
    row_t row;
};

static struct setting setting;

int main(int argc, char **argv)
{
    comm_t halves[2];
    __typeof__(MPI_COMM_WORLD) same;
    double x[4] = { 0 }, sum = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &setting.team);
    MPI_Comm_dup(MPI_COMM_WORLD, &halves[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &halves[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &same);
    MPI_Type_contiguous(4, MPI_DOUBLE, &setting.row);
    MPI_Type_commit(&setting.row);
    for (int i = 0; i < 12; i++) {
        double mine = x[3] + i + rank, all;
        x[0] += i;
        x[3] -= rank;
        MPI_Bcast(x, 1, setting.row, 0, setting.team);
        for (int k = 0; k < 2; k++) {
            MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, halves[k]);
            MPI_Allreduce(&all, &mine, 1, MPI_DOUBLE, MPI_MAX, same);
            sum += mine * (k + 1);
        }
    }
    if (rank == 0)
        printf("%.17g %g %g\n", sum, x[0], x[3]);
    MPI_Finalize();
    return 0;
}
