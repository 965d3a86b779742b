// auto resumes 3 17
// flags -isystem HERE
// beside unknown_library_part.c
/* A variable of MPI that the program compares pointers with, beside a library that nobody knows. */
#include <mpi.h>
#include <stdio.h>
#include <unknown_library_part.h>

int main(int argc, char **argv)
{
    double sums[4] = {0};
    int found = 0;
    MPI_Init(&argc, &argv);
    MPI_Fint status[16] = {0}, *wanted = status;
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < 4; i++)
            sums[i] += gadget_scale * step + i;
        if (step % 5 == 0)
            gadget_draw("sums", sums, 4);
        found += wanted != MPI_F_STATUS_IGNORE;
        MPI_Allreduce(MPI_IN_PLACE, sums, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    printf("%.17g %d\n", sums[3], found);
    MPI_Finalize();
    return 0;
}
