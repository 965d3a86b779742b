/* One function for several kinds of exchange: what is called through a member of a parameter is that of what is handed
   over. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct exchange {
    int (*load)(void *data, double *buffer);
    int factor;
};

struct fields {
    double *density;
    long count;
};

struct atoms {
    long count, more;
    double *place;
};

struct others {
    long count, more, rest;
    double *density;
};

static int load_atoms(void *data, double *buffer)
{
    struct atoms *a = data;

    memcpy(buffer, a->place, 4 * sizeof *buffer);
    return a->count + a->more;
}

static int load_fields(void *data, double *buffer)
{
    struct fields *f = data;

    memcpy(buffer, f->density, 4 * sizeof *buffer);
    return f->count;
}

static int load_some(void *data, double *buffer)
{
    struct others *o = data;

    memcpy(buffer, o->density, 4 * sizeof *buffer);
    return o->count;
}

/* Called for all. */
static double along(struct exchange *x, void *data, int axis)
{
    double buffer[4];
    int count = x->load(data, buffer);

    return buffer[axis % count] * x->factor;
}

static double exchanged(struct exchange *x, void *data)
{
    double sum = 0;

    for (int axis = 0; axis < 3; axis++)
        sum += along(x, data, axis);
    return sum;
}

/* The member may be that of the other one. */
static double either(struct exchange *x, struct exchange *y, void *data, int which)
{
    struct exchange *chosen = which ? x : y;
    double buffer[4];

    return chosen->load(data, buffer) + buffer[0];
}

static struct exchange *exchange(int (*load)(void *, double *), int factor)
{
    struct exchange *x = malloc(sizeof *x);

    x->load = load;
    x->factor = factor;
    return x;
}

int main(int argc, char **argv)
{
    struct exchange *of_atoms = exchange(load_atoms, 1);
    struct exchange *of_fields = exchange(load_fields, 2);
    struct exchange *of_some = exchange(load_atoms, 3);
    struct atoms a = {4, 0, NULL};
    struct fields f = {NULL, 4};
    struct others g = {4, 0, 0, NULL};
    double sum = 0;
    int i;

    a.place = calloc(4, sizeof(double));
    f.density = malloc(4 * sizeof(double));
    g.density = malloc(4 * sizeof(double));
    memset(f.density, 0, 4 * sizeof(double));
    memset(g.density, 0, 4 * sizeof(double));
    if (argc > 1)
        of_some->load = load_some;
#pragma cccp init
#pragma cccp register(sum, i)
    for (i = 0; i < 10; i++) {
/* should: f.density[…] absent */
/* must: g.density[…] missing, a.place[…] missing */
#pragma cccp checkpoint
        sum += exchanged(of_atoms, &a) + exchanged(of_some, &g);
        memset(f.density, 0, 4 * sizeof(double));
        memset(g.density, 0, 4 * sizeof(double));
        f.density[i % 4] = sum;
        g.density[i % 4] = sum;
        sum += exchanged(of_fields, &f) + either(of_atoms, of_some, &g, argc > 1);
        a.place[i % 4] += sum / 1000;
    }
    printf("%g\n", sum);
#pragma cccp shutdown
    return argv == NULL;
}
