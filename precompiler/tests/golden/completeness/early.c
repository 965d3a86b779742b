/* Memory that the first use sets up: where that comes before `init` in every run, nothing of it has to come back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One kind of many, each with a function of its own. */
struct force {
    int (*run)(struct force *f, int n);
    double factor;
    int count;
    double *work;
    double **rows;
};

struct cheap {
    int (*run)(struct force *f, int n);
    double factor;
};

static int with_work(struct force *f, int n)
{
    if (f->work == NULL) {
        f->rows = malloc(2 * sizeof *f->rows);
        f->rows[0] = calloc(n, sizeof(double));
        f->rows[1] = calloc(n, sizeof(double));
        f->work = calloc(f->count, sizeof(double));
    }
    memset(f->work, 0, f->count * sizeof(double));
    f->work[n % f->count] += 1;
    return f->work[0] + f->rows[1][0] > f->factor;
}

static int without(struct force *f, int n)
{
    return ((struct cheap *)f)->factor * n > 0;
}

static struct force *chosen(int which)
{
    if (which) {
        struct force *f = malloc(sizeof *f);
        f->run = with_work;
        f->factor = 2.0;
        f->count = 4;
        f->work = NULL;
        return f;
    }
    struct cheap *c = malloc(sizeof *c);
    c->run = without;
    c->factor = 0.5;
    return (struct force *)c;
}

struct sim {
    struct force *force;
    int steps;
};

static struct sim *simulation(int which)
{
    struct sim *s = malloc(sizeof *s);
    s->steps = 10;
    s->force = chosen(which);
    s->force->run(s->force, s->steps);
    return s;
}

/* A flag that is a number. */
struct table {
    int ready;
    double values[8];
};

static double looked_up(struct table *t, int i)
{
    if (!t->ready) {
        for (int k = 0; k < 8; k++)
            t->values[k] = k * 0.5;
        t->ready = 1;
    }
    return t->values[i];
}

/* Only some runs come by before `init`. */
struct late {
    double *work;
};

static double first_late(struct late *l, int n)
{
    if (l->work == NULL) {
        l->work = malloc(n * sizeof(double));
        l->work[0] = n;
    }
    return l->work[0];
}

/* Set back behind `init`, and set up again. */
struct reset {
    double *work;
};

static double first_reset(struct reset *r, int n)
{
    if (r->work == NULL) {
        r->work = malloc(sizeof(double));
        r->work[0] = n;
    }
    return r->work[0];
}

/* Set up twice before `init`: the first block is still in use. */
struct twice {
    double *work;
};

static double first_twice(struct twice *t)
{
    if (t->work == NULL)
        t->work = malloc(4 * sizeof(double));
    memset(t->work, 0, 4 * sizeof(double));
    t->work[0] += 1;
    return t->work[0];
}

/* Two of a kind, of which one is set up. */
struct pair {
    double *work;
};

static double first_pair(struct pair *p, int n)
{
    if (p->work == NULL) {
        p->work = malloc(sizeof(double));
        p->work[0] = n;
    }
    return p->work[0];
}

/* What is stored may be null. */
struct maybe {
    int count;
    double *work;
};

static double first_maybe(struct maybe *m, double *given)
{
    if (m->work == NULL) {
        m->count++;
        m->work = given;
    }
    return m->work ? m->work[0] : m->count;
}

/* Another pointer than that to the struct says what is called. */
struct other {
    double *work;
};

static double first_other(struct other *o, int n)
{
    if (o->work == NULL) {
        o->work = malloc(sizeof(double));
        o->work[0] = n;
    }
    return o->work[0];
}

static double nothing(struct other *o, int n)
{
    return o != NULL ? n : 0;
}

int main(int argc, char **argv)
{
    double sum = 0;
    struct sim *s = simulation(argc);
    struct table *t = malloc(sizeof *t);
    struct late *l = malloc(sizeof *l);
    struct reset *r = malloc(sizeof *r);
    struct pair *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    struct maybe *m = malloc(sizeof *m);
    struct twice *w = malloc(sizeof *w);
    struct other *o = malloc(sizeof *o);
    double (*call)(struct other *, int) = argc > 2 ? first_other : nothing;

    t->ready = 0;
    l->work = r->work = p->work = q->work = m->work = o->work = w->work = NULL;
    m->count = 0;
    sum += looked_up(t, 1) + first_reset(r, 1) + first_pair(p, 1);
    sum += first_maybe(m, argc > 4 ? &sum : NULL) + call(o, 1);
    if (argc > 1)
        sum += first_late(l, 4);
    first_twice(w);
    double *old = w->work;
    w->work = NULL;
    first_twice(w);
#pragma cccp init
    int i;
#pragma cccp register(sum, i)
    for (i = 0; i < s->steps; i++) {
/* should: s->force->work held, s->force->work[…] absent, s->force->rows[…][…] held, t->ready held, t->values held */
/* must: old[…] missing, l[…][…] missing, r[…][…] missing, q[…][…] missing, m->work missing, o[…][…] missing */
#pragma cccp checkpoint
        sum += s->force->run(s->force, s->steps) + looked_up(t, i % 8);
        sum += first_late(l, 4) + first_reset(r, i) + first_pair(p, 1) + first_pair(q, 1);
        sum += first_maybe(m, &sum) + first_other(o, 1);
        sum += first_twice(w);
        sum += old[1];
        old[1] = sum;
        if (i == 5) {
            free(r->work);
            r->work = NULL;
        }
    }
    printf("%g\n", sum);
#pragma cccp shutdown
    return argv == NULL;
}
