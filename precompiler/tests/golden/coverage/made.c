/* Blocks that functions hand out, variable-length arrays, and how many items messages have. */
#include <stdio.h>
#include <stdlib.h>

typedef struct some_comm *MPI_Comm;
typedef struct some_datatype *MPI_Datatype;
typedef struct some_op *MPI_Op;
extern struct some_datatype a_double, an_int;
#define MPI_DOUBLE (&a_double)
#define MPI_INT (&an_int)
int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
static MPI_Op sum;
static MPI_Comm world;

static void *get(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p) {
        perror("malloc");
        exit(1);
    }
    return p;
}

static double *vector(int n)
{
    return get(n * sizeof(double));
}

/* What it hands out may have been made when n was another one. */
static double *kept(int n)
{
    static double *memory;
    if (!memory)
        memory = get(n * sizeof(double));
    return memory;
}

/* More than was asked for. */
static double *more(int n)
{
    return get((n + 1) * sizeof(double));
}

/* All callers hand over the same number. */
static void clear(double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = 0;
}

static int limit;
static void clear_less(double *v)
{
    limit--;
    for (int i = 0; i < limit; i++)
        v[i] = 0;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10, m = 7;
    int changing = n;
    limit = n;
    double *a = vector(n);
    double *b = get(n * sizeof *b);
    double *c = kept(n);
    double *d = more(n);
    double *e = vector(changing);
    double *f = malloc(n * sizeof *f);
    double *g = malloc(n * sizeof *g);
    double *h = malloc(limit * sizeof *h);
    double *r = malloc(n * sizeof *r);
    double *s = malloc(n * sizeof *s);
    double *t = malloc(n * sizeof *t);
    double u[n], v[n][m], w[n], x[changing], y[n + 1];
    changing++;
    for (int i = 0; i < n; i++) /* should: heap@65[] covered */
        a[i] = i;
    for (int i = 0; i < n; i++) /* should: heap@66[] covered */
        b[i] = i;
    for (int i = 0; i < n; i++) /* must: heap@67[] not covered */
        c[i] = i;
    for (int i = 0; i < n; i++) /* must: heap@68[] not covered */
        d[i] = i;
    for (int i = 0; i < changing; i++) /* must: heap@69[] not covered */
        e[i] = i;
    clear(f, n); /* should: heap@70[] covered */
    clear(g, n); /* should: heap@71[] covered */
    clear_less(h); /* must: heap@72[] not covered */
    for (int i = 0; i < n; i++) /* should: u[] covered */
        u[i] = i;
    for (int i = 0; i < n; i++) /* should: v[][] covered */
        for (int j = 0; j < m; j++)
            v[i][j] = i;
    for (int i = 0; i < m; i++) /* must: v[][] not covered */
        for (int j = 0; j < n; j++)
            v[j][i % 2] = i;
    for (int i = 1; i < n; i++) /* must: w[] not covered */
        w[i] = i;
    for (int i = 0; i < changing; i++) /* must: x[] not covered */
        x[i] = i;
    for (int i = 0; i < n; i++) /* must: y[] not covered */
        y[i] = i;
    MPI_Allreduce(u, r, n, MPI_DOUBLE, sum, world); /* should: heap@73[] covered */
    MPI_Allreduce(u, s, n - 1, MPI_DOUBLE, sum, world); /* must: heap@74[] not covered */
    MPI_Allreduce(u, t, n, MPI_INT, sum, world); /* must: heap@75[] not covered */
    printf("%g %g %g %g %g %g %g %g", a[0], b[0], c[0], d[0], e[0], f[0], g[0], h[0]);
    printf("%g %g %g %g %g %g %g %g", u[0], v[0][0], w[0], x[0], y[0], r[0], s[0], t[0]);
    return 0;
}
