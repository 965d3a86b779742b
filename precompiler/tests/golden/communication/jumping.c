/* Where control may come back from anywhere, nothing is known to be entered once. */
#include <mpi.h>
#include <setjmp.h>
#include <stdlib.h>

static double u[8];
static jmp_buf back;

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (setjmp(back) > 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int mine = atoi(argv[1]) / (rank + 1);
    for (int i = 0; i < mine; i++)
        u[1] += 1; /* unsafe */
    if (u[1] < 10)
        longjmp(back, 1);
    MPI_Finalize();
    return 0;
}
