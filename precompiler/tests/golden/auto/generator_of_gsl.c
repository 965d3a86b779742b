/* A generator of GSL comes back with its state where it is registered. */
#include <stdio.h>

typedef struct generator_type gsl_rng_type;
typedef struct { const gsl_rng_type *type; void *state; } gsl_rng;
extern const gsl_rng_type *gsl_rng_mt19937;
gsl_rng *gsl_rng_alloc(const gsl_rng_type *T);
double gsl_rng_uniform(const gsl_rng *r);
void gsl_rng_free(gsl_rng *r);

int main(void)
{
    gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
    double sum = 0;
    for (int i = 0; i < 1000; i++) /* before: register(r, sum, i) checkpoint */
        sum += gsl_rng_uniform(r);
    printf("%g\n", sum);
    gsl_rng_free(r);
    return 0;
}
