/* What runs before MPI_Init and after MPI_Finalize is no place for a checkpoint. */
#include <mpi.h>
#include <stdio.h>

#define CELLS 64
static double u[CELLS];

static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    for (int i = 0; i < CELLS; i++) /* not selected */
        u[i] = i;
}

static double work(void)
{
    double sum = 0;
    for (int i = 0; i < CELLS; i++) /* not selected */
        for (int k = 0; k < CELLS; k++) /* not selected */
            sum += u[i] * u[k];
    return sum;
}

int main(int argc, char **argv)
{
    double local = 0, total = 0;
    for (int i = 0; i < argc * 1000; i++) /* excluded: it is over before MPI is initialised */
        local += i;
    begin(&argc, &argv);
    for (int step = 0; step < 10; step++) { /* selected */
        local += work();
        MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    for (int i = 0; i < 1000; i++) /* excluded: MPI is finalised before it */
        total += work();
    printf("%g\n", total);
    return 0;
}
