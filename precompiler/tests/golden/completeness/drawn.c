/* What a generator of GSL has drawn does not come back when it is made again: its state has to be registered. */
#include <stdio.h>

typedef struct generator_type gsl_rng_type;
typedef struct { const gsl_rng_type *type; void *state; } gsl_rng;
extern const gsl_rng_type *gsl_rng_mt19937;
gsl_rng *gsl_rng_alloc(const gsl_rng_type *T);
double gsl_rng_uniform(const gsl_rng *r);
void *gsl_rng_state(const gsl_rng *r);
unsigned long gsl_rng_size(const gsl_rng *r);

struct model { gsl_rng *draws; double sum; };

static void forgotten(struct model *model)
{
    #pragma cccp execute on restart
    model->draws = gsl_rng_alloc(gsl_rng_mt19937);
    #pragma cccp end execute
    int i;
    #pragma cccp register(i, model->sum)
    for (i = 0; i < 30; i++) {
        #pragma cccp checkpoint
        model->sum += gsl_rng_uniform(model->draws);
    }
}

static double kept(void)
{
    unsigned char *state;
    unsigned long size;
    #pragma cccp execute on restart
    gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
    state = gsl_rng_state(r);
    size = gsl_rng_size(r);
    #pragma cccp end execute
    #pragma cccp register(state[size])
    double sum = 0;
    int i;
    #pragma cccp register(i, sum)
    for (i = 0; i < 30; i++) {
        #pragma cccp checkpoint
        sum += gsl_rng_uniform(r);
    }
    return sum;
}

int main(void)
{
    #pragma cccp init
    struct model model = { 0 };
    forgotten(&model);
    printf("%g\n", model.sum + kept());
    return 0;
}
