/* Functions of a library that are in the catalogue leave no message behind, those of FFTW that all ranks call together like others. */
#include <mpi.h>
#include <stddef.h>

typedef struct fftw_plan_s *fftw_plan;
void fftw_mpi_init(void);
ptrdiff_t fftw_mpi_local_size_2d(ptrdiff_t n0, ptrdiff_t n1, MPI_Comm comm, ptrdiff_t *local_n0, ptrdiff_t *local_0_start);
fftw_plan fftw_mpi_plan_transpose(ptrdiff_t n0, ptrdiff_t n1, double *in, double *out, MPI_Comm comm, unsigned flags);
void fftw_execute(const fftw_plan plan);
void fftw_destroy_plan(fftw_plan plan);

static double table[256];

int main(int argc, char **argv)
{
    ptrdiff_t rows, first;
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    fftw_mpi_local_size_2d(16, 16, MPI_COMM_WORLD, &rows, &first);
    for (int step = 0; step < 100; step++) {
        fftw_plan plan = fftw_mpi_plan_transpose(16, 16, table, table, MPI_COMM_WORLD, 64);
        table[0] += first; /* safe */
        fftw_execute(plan);
        fftw_destroy_plan(plan);
        table[1] += rows; /* safe */
    }
    MPI_Finalize();
    return 0;
}
