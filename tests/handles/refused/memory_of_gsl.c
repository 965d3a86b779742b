/* What GSL allocates for itself is no memory that a checkpoint holds: said before the run, not at its first checkpoint (S36).
 * refused: auto mode cannot restore what `counts` points to | a library allocates it for itself, in line 15 | so that every start makes it */
#include <stddef.h>
#include <stdio.h>

typedef struct { size_t n; double *range; double *bin; } gsl_histogram;
gsl_histogram *gsl_histogram_alloc(size_t n);
int gsl_histogram_set_ranges_uniform(gsl_histogram *h, double xmin, double xmax);
int gsl_histogram_increment(gsl_histogram *h, double x);
double gsl_histogram_get(const gsl_histogram *h, size_t i);
void gsl_histogram_free(gsl_histogram *h);

int main(void)
{
    gsl_histogram *counts = gsl_histogram_alloc(10);
    gsl_histogram_set_ranges_uniform(counts, 0, 100);
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < 100; i++)
            gsl_histogram_increment(counts, i * step % 100);
        printf("%d %g\n", step, gsl_histogram_get(counts, 3));
    }
    gsl_histogram_free(counts);
    return 0;
}
