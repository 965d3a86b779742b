/* follow(x): lists, a tree with parents, a graph with cycles, a hash table, rows, flexible arrays, functions, pointers
 * into the middle and to the end of blocks, and into registered objects. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tree {
    int key;
    struct tree *parent, *left, *right;
};

struct vertex {
    int number;
    int degree;
    struct vertex **neighbours; /* grown by realloc */
    double *weights;
    double (*law)(double);
};

struct entry {
    struct entry *next;
    char *name;
    long count;
};

struct table {
    struct entry **chains;
    size_t length;
    struct entry *latest;
};

struct text {
    unsigned length;
    struct text *older;
    char letters[];
};

struct world {
    struct tree *root;
    struct vertex *graph[3];
    struct table words;
    double **rows;
    double *cursor, *end; /* into the rows */
    struct text *log;
    struct { float *samples; int used, room; } series;
    int *shared, *also_shared;
    long *counter; /* a registered static */
    char *nothing;
};

static long counter;

static double half(double x)
{
    return x / 2;
}

static double twice(double x)
{
    return x * 2;
}

static void insert(struct world *w, int key)
{
    struct tree **at = &w->root, *parent = NULL;
    while (*at) {
        parent = *at;
        at = key < parent->key ? &parent->left : &parent->right;
    }
    *at = calloc(1, sizeof **at);
    (*at)->key = key;
    (*at)->parent = parent;
}

static void connect(struct vertex *a, struct vertex *b, double weight)
{
    a->neighbours = realloc(a->neighbours, (size_t)(a->degree + 1) * sizeof *a->neighbours);
    a->weights = realloc(a->weights, (size_t)(a->degree + 1) * sizeof *a->weights);
    a->neighbours[a->degree] = b;
    a->weights[a->degree++] = weight;
}

static void count(struct table *t, const char *name)
{
    size_t at = 0;
    struct entry *one;
    for (const char *c = name; *c; c++)
        at = (at * 31 + (unsigned char)*c) % t->length;
    for (one = t->chains[at]; one && strcmp(one->name, name); one = one->next)
        ;
    if (!one) {
        one = malloc(sizeof *one);
        one->name = __builtin_strdup(name);
        one->count = 0;
        one->next = t->chains[at];
        t->chains[at] = one;
    }
    one->count++;
    t->latest = one;
}

static long depth(const struct tree *t)
{
    long d = 0;
    for (; t; t = t->parent)
        d++;
    return d;
}

static long sum(const struct tree *t)
{
    return t ? t->key * depth(t) + sum(t->left) + sum(t->right) : 0;
}

static void show(const struct world *w, int step)
{
    double total = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < w->graph[i]->degree; j++)
            total += w->graph[i]->law(w->graph[i]->weights[j]) * w->graph[i]->neighbours[j]->number;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++)
            total += w->rows[i][j];
    for (int i = 0; i < w->series.used; i++)
        total += w->series.samples[i];
    printf("%d tree %ld total %g latest %s %ld cursor %g %d log %s %u shared %d %d counter %ld %d\n", step, sum(w->root),
           total, w->words.latest->name, w->words.latest->count, *w->cursor, (int)(w->end - w->rows[3]),
           w->log->letters, w->log->older ? w->log->older->length : 0, *w->shared, w->shared == w->also_shared,
           *w->counter, w->counter == &counter && w->nothing == NULL);
}

int main(void)
{
    struct world *w;
    int step;
#pragma cccp init
    w = calloc(1, sizeof *w);
    w->words.length = 5;
    w->words.chains = calloc(w->words.length, sizeof *w->words.chains);
    w->rows = malloc(4 * sizeof *w->rows);
    for (int i = 0; i < 4; i++)
        w->rows[i] = calloc((size_t)i + 1, sizeof **w->rows);
    w->end = w->rows[3] + 4;
    for (int i = 0; i < 3; i++) {
        w->graph[i] = calloc(1, sizeof *w->graph[i]);
        w->graph[i]->number = i + 1;
        w->graph[i]->law = i == 1 ? half : twice;
    }
    w->shared = w->also_shared = malloc(sizeof *w->shared);
    *w->shared = 0;
    w->counter = &counter;
#pragma cccp register(step, counter, follow(w))
    for (step = 0; step < 9; step++) {
        char name[16];
        struct text *line;
        insert(w, step * 37 % 11);
        connect(w->graph[step % 3], w->graph[(step + step / 3) % 3], step + 0.25);
        sprintf(name, "w%d", step * step % 7);
        count(&w->words, name);
        line = malloc(sizeof *line + strlen(name) + (size_t)step + 1);
        line->length = (unsigned)step;
        line->older = w->log;
        memset(line->letters, '.', (size_t)step);
        strcpy(line->letters + step, name);
        if (step == 6) { /* what is freed is gone */
            free(w->log->older->older);
            w->log->older->older = NULL;
        }
        w->log = line;
        w->rows[step % 4][step % (step % 4 + 1)] += step;
        w->cursor = &w->rows[step % 4][step % (step % 4 + 1)];
        if (w->series.used == w->series.room) {
            w->series.room = 2 * w->series.room + 1;
            w->series.samples = realloc(w->series.samples, (size_t)w->series.room * sizeof *w->series.samples);
            for (int i = w->series.used; i < w->series.room; i++)
                w->series.samples[i] = 0;
        }
        w->series.samples[w->series.used++] = (float)step / 4;
        ++*w->also_shared;
        counter += 2;
#pragma cccp checkpoint
        show(w, step);
    }
    /* The program may give everything back. */
    for (int i = 0; i < 4; i++)
        free(w->rows[i]);
    free(w->rows);
    free(w->also_shared);
    w->series.samples = realloc(w->series.samples, 1000 * sizeof *w->series.samples);
    printf("%g\n", (double)w->series.samples[1]);
    free(w->series.samples);
    free(w);
#pragma cccp shutdown
    return 0;
}
