/* The library makes plans again that it has seen being made, and it sees none that several ranks make together: said before the run, not
 * where a restart uses one (S36).
 * refused: auto mode cannot restore `plan` | it is a handle of a library; what makes it (line 16) | execute on restart */
#include <stddef.h>
#include <stdio.h>

typedef struct fftw_plan_s *fftw_plan;
fftw_plan fftw_mpi_plan_transpose(ptrdiff_t n0, ptrdiff_t n1, double *in, double *out, void *comm, unsigned flags);
void fftw_execute(const fftw_plan plan);
void fftw_destroy_plan(fftw_plan plan);
extern void *all_ranks;

int main(void)
{
    static double table[64];
    fftw_plan plan = fftw_mpi_plan_transpose(8, 8, table, table, all_ranks, 1 << 6);
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < 64; i++)
            table[i] = table[i] * 0.5 + i;
        fftw_execute(plan);
    }
    printf("%g\n", table[9]);
    fftw_destroy_plan(plan);
    return 0;
}
