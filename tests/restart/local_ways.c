/* A register that only a local pointer leads to ends with its function; the caller's says what is saved from then on.
   What a parameter or a registered block leads to stays. */
#include <stdio.h>
#include <stdlib.h>

struct model {
    int n;
    double *level, *rate, *mean;
};

static void allocate_mean(struct model *given)
{
    given->mean = calloc(given->n, sizeof(double));
#pragma cccp register(given->mean[given->n])
}

static struct model *new_model(int n)
{
    struct model *made = calloc(1, sizeof *made);
    made->n = n;
    made->level = calloc(n, sizeof(double));
    made->rate = calloc(n, sizeof(double));
    for (int k = 0; k < n; k++)
        made->rate[k] = 1.0 + k;
#pragma cccp register(follow(made), made->rate[])
    return made;
}

static struct model *new_kept(int n)
{
    struct model *made = calloc(1, sizeof *made);
    made->n = n;
    made->rate = calloc(n, sizeof(double));
    for (int k = 0; k < n; k++)
        made->rate[k] = 2.0 + k;
#pragma cccp register(made[1], made->rate[])
    return made;
}

int main(void)
{
    int i;
    struct model *m, *kept;
#pragma cccp init
    m = new_model(50);
    kept = new_kept(20);
#pragma cccp register(i, kept, follow(m))
    allocate_mean(m);
    for (i = 0; i < 20; i++) {
#pragma cccp checkpoint
        for (int k = 0; k < m->n; k++) {
            m->level[k] += m->rate[k] * i;
            m->mean[k] += m->level[k] / (i + 1);
            m->rate[k] *= 1.0625;
            kept->rate[k % kept->n] += 0.5 * m->mean[k];
        }
        printf("%d %.17g %.17g %.17g\n", i, m->level[7], m->mean[9], kept->rate[3]);
    }
    free(m->level);
    free(m->rate);
    free(m->mean);
    free(m);
    free(kept->rate);
    free(kept);
#pragma cccp shutdown
    return 0;
}
