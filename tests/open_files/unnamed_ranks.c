/* Every rank has a scratch file without a name, and writes at the end what is in it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma cccp init
    int step, c;
    char name[40];
    FILE *scratch = tmpfile(), *out;

    if (scratch == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
#pragma cccp register(step, scratch)
    for (step = 0; step < 8; step++) {
#pragma cccp checkpoint
        int all = 0;
        MPI_Allreduce(&step, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        fprintf(scratch, "rank %d step %d: %d\n", rank, step, all);
    }
    snprintf(name, sizeof name, "rank-%d.txt", rank);
    out = fopen(name, "w");
    rewind(scratch);
    while (out != NULL && (c = fgetc(scratch)) != EOF)
        fputc(c, out);
    if (out != NULL)
        fclose(out);
#pragma cccp shutdown
    MPI_Finalize();
    return 0;
}
