/* Loops over arrays of constant extent. */
#include <stdio.h>
#include <stdlib.h>
#define N 100
#define M 20
enum { K = 5 };
double a[N], b[N], g[N][M], flat[N * M], cube[K][M][N], one[1];
struct point { double x, y; int tag[3]; } ps[N], origin;
struct { double u[N]; int n; } s;
union both { double d; char text[16]; } us[N];
static const int limit = N;
static int fixed = N, other = N;
volatile double device[N];
unsigned char small[256];

void up(void)
{
    int i, j, k;
    for (i = 0; i < N; i++) a[i] = 0; /* should: a[] covered */
    for (i = 0; i <= N - 1; ++i) a[i] = 0; /* should: a[] covered */
    for (i = 0; i != N; i += 1) a[i] = 0; /* should: a[] covered */
    for (i = 0; N > i; i = i + 1) a[i] = 0; /* should: a[] covered */
    for (int h = 0; h < N; h++) a[h] = 0; /* should: a[] covered */
    for (size_t h = 0; h < N; h++) a[h] = 0; /* should: a[] covered */
    for (i = 0; i < limit; i++) a[i] = 0; /* should: a[] covered */
    for (i = 0; i < fixed; i++) a[i] = 0; /* should: a[] covered */
    for (i = 0; i < other; i++) a[i] = 0; /* must: a[] not covered */
    for (i = 1; i <= N; i++) a[i - 1] = 0; /* should: a[] covered */
    for (i = 0; i < sizeof a / sizeof a[0]; i++) a[i] = 0; /* should: a[] covered */
    for (i = N - 1; i >= 0; i--) b[i] = a[i]; /* should: b[] covered */
    for (i = N; i > 0; i--) b[i - 1] = a[i - 1]; /* should: b[] covered */
    for (i = 0; i < N; i++) *(a + i) = 0; /* should: a[] covered */
    for (i = 0; i < N; i++) i[a] = 0; /* should: a[] covered */
    for (i = 0; i < N; i++) a[i] = b[i] = 0; /* should: a[], b[] covered */
    for (i = 0; i < N; i++) { a[i] = 1; a[i] += b[i]; } /* should: a[] covered */
    for (i = 0; i < N; i++) s.u[i] = 3; /* should: s.u[] covered */
    for (i = 0; i < 1; i++) one[i] = 3;
    for (i = 0; i < N; i++) { ps[i].x = 0; ps[i].y = ps[i].x; } /* should: ps[].x, ps[].y covered */
    for (i = 0; i < N; i++) { ps[i].x = 0; ps[i].y = ps[i].x; } /* must: ps[].tag[] not covered */
    for (i = 0; i < N; i++) ps[i] = origin; /* should: ps[].x, ps[].y, ps[].tag[] covered */
    for (i = 0; i < N; i++) { a[i] = 0; if (a[i] > b[i]) exit(1); } /* should: a[] covered */
    for (i = 0; i < N; i++) if (b[i] > 0) a[i] = 1; else a[i] = 2; /* should: a[] covered */
    for (i = 0; i < N; i++) for (j = 0; j < M; j++) g[i][j] = i * j; /* should: g[][] covered */
    for (j = 0; j < M; j++) for (i = 0; i < N; i++) g[i][j] = i * j; /* should: g[][] covered */
    for (i = 0; i < N; i++) for (j = 0; j < M; j++) flat[i * M + j] = 1; /* should: flat[] covered */
    for (j = 0; j < M; j++) for (i = 0; i < N; i++) flat[j + M * i] = 1; /* should: flat[] covered */
    for (i = 0; i < K; i++) for (j = 0; j < M; j++) for (k = 0; k < N; k++) cube[i][j][k] = 1; /* should: cube[][][] covered */
    for (k = 0; k < 3; k++) for (i = 0; i < N; i++) a[i] = k; /* should: a[] covered */
}

void others(void)
{
    int i = 0, j;
    while (i < N) { a[i] = 0; i++; } /* should: a[] covered */
    i = 0;
    do { a[i] = 0; ++i; } while (i < N); /* should: a[] covered */
    i = 0;
    for (; i < N; i++) a[i] = 0; /* should: a[] covered */
    i = N - 1;
    while (i >= 0) { a[i] = 0; i--; } /* should: a[] covered */
    for (j = 0; j < 3; j++) { /* should: a[] covered */
        for (i = 0; i < N; i++) a[i] = 0; /* should: a[] covered */
        for (i = 0; i < N; i++) b[i] = a[i]; /* should: b[] covered */
        if (b[j] > 3) continue;
        printf("%g", b[0]);
    }
#pragma omp parallel for private(j)
    for (i = 0; i < N; i++) { /* should: a[], g[][] covered */
        a[i] = 0;
        for (j = 0; j < M; j++) g[i][j] = 1;
    }
#pragma omp parallel
    {
#pragma omp for nowait
        for (i = 0; i < N; i++) a[i] = 0; /* should: a[] covered */
    }
    for (i = 0; i < N; i++) { a[i] = 0; if (b[i] > 1) continue; b[i] = 2; } /* should: a[] covered */
    for (i = 0; i < N; i++) { a[i] = 0; switch (i) { case 1: break; default: j = 2; } } /* should: a[] covered */
}

void change(int *p) { (*p)++; }
double look(void) { return a[3]; }
int reads(double *p, int i) { return p[i] > 0; }

void not(int n)
{
    int i, j, *p = &j;
    other = n;
    for (i = 1; i < N; i++) a[i] = 0; /* must: a[] not covered */
    for (i = 0; i < N - 1; i++) a[i] = 0; /* must: a[] not covered */
    for (i = 0; i < N; i += 2) a[i] = 0; /* must: a[] not covered */
    for (i = N - 1; i > 0; i--) a[i] = 0; /* must: a[] not covered */
    for (i = 0; i < n; i++) a[i] = 0; /* must: a[] not covered */
    for (i = n; i < N; i++) a[i] = 0; /* must: a[] not covered */
    for (i = 0; i < N; i++) a[i / 2] = 0; /* must: a[] not covered */
    for (i = 0; i < N; i++) a[2 * i] = 0; /* must: a[] not covered */
    for (i = 0; i < N; i++) a[0] = 0; /* must: a[] not covered */
    for (i = 0; i < N; i++) if (b[i] > 0) a[i] = 1; /* must: a[] not covered */
    for (i = 0; i < N; i++) if (b[i] > 0) a[i] = 1; else a[0] = 2; /* must: a[] not covered */
    for (i = 0; i < N; i++) { if (b[i] > 0) break; a[i] = 1; } /* must: a[] not covered */
    for (i = 0; i < N; i++) { if (b[i] > 0) continue; a[i] = 1; } /* must: a[] not covered */
    for (i = 0; i < N; i++) { if (b[i] > 0) return; a[i] = 1; } /* must: a[] not covered */
    for (i = 0; i < N; i++) { if (b[i] > 0) goto out; a[i] = 1; } /* must: a[] not covered */
    for (i = 0; i < N; i++) { a[i] = 1; if (b[i] > 0) break; } /* must: a[] not covered */
    for (i = 0; i < N && b[i] > 0; i++) a[i] = 0; /* must: a[] not covered */
    for (i = 0; i < N; i++) b[i] > 0 && (a[i] = 1); /* must: a[] not covered */
    for (i = 0; i < N; i++) b[i] > 0 ? (a[i] = 1) : 2; /* must: a[] not covered */
    for (i = 0; i < N; i++) a[i] = a[i] + 1; /* must: a[] not covered */
    for (i = 0; i < N; i++) a[i] += 1; /* must: a[] not covered */
    for (i = 0; i < N; i++) a[i] = a[(i + 1) % N]; /* must: a[] not covered */
    for (i = 0; i < N; i++) { b[i] = a[i]; a[i] = 0; } /* must: a[] not covered */
    for (i = 0; i < N; i++) { a[i] = 0; b[i] = a[N - 1]; } /* must: a[] not covered */
    for (i = 0; i < N; i++) { a[i] = 0; b[i] = look(); } /* must: a[] not covered */
    for (i = 0; i < N; i++) { a[i] = 0; if (reads(a, i)) j = 1; } /* must: a[] not covered */
    for (i = 0; a[i] >= 0 && i < N; i++) a[i] = 0; /* must: a[] not covered */
    for (i = 0; i < N; i++) { a[i] = 0; i++; } /* must: a[] not covered */
    for (i = 0; i < N; i++) { a[i] = 0; if (b[i] > 1) i += 2; } /* must: a[] not covered */
    for (j = 0; j < N; j++) { a[j] = 0; *p += 1; } /* must: a[] not covered */
    for (j = 0; j < N; j++) { a[j] = 0; change(p); } /* must: a[] not covered */
    for (j = 0; j < N; j++) { a[j] = 0; change(&j); } /* must: a[] not covered */
    for (i = 0, j = 0; i < N; i++, j++) a[j] = 0; /* must: a[] not covered */
    for (i = 0; i < N; i++) for (j = 0; j < i; j++) g[i][j] = 0; /* must: g[][] not covered */
    for (i = 0; i < N; i++) for (j = 0; j < M; j++) g[i][i] = 0; /* must: g[][] not covered */
    for (i = 0; i < N; i++) for (j = 1; j < M; j++) g[i][j] = 0; /* must: g[][] not covered */
    for (i = 0; i < N; i++) g[i][0] = 0; /* must: g[][] not covered */
    for (i = 0; i < N; i++) for (j = 0; j < N; j++) flat[i * M + j] = 0; /* must: flat[] not covered */
    for (i = 0; i < M; i++) for (j = 0; j < N; j++) flat[i * M + j] = 0; /* must: flat[] not covered */
    for (i = 0; i < n; i++) for (j = 0; j < N; j++) a[j] = 0; printf("%d", i);
    for (i = 0; i < N; i++) device[i] = 0; /* must: device[] not covered */
    for (i = 0; i < N; i++) us[i].d = 0; /* must: us[], us[].d, us[].text[] not covered */
    for (i = 0; i < N; i++) ps[i].tag[0] = 0; /* must: ps[].tag[] not covered */
    for (i = 0; i < N; i++) ps[0].x = 0; /* must: ps[].x not covered */
    for (i = -1; i < (unsigned)N; i++) a[i + 1] = 0; /* must: a[] not covered */
    i = 0;
    if (n) i = 5;
    while (i < N) { a[i] = 0; i++; } /* must: a[] not covered */
    i = 0;
    while (i < N) { i++; a[i - 1] = 0; }
    i = 0;
    while (i < N - 1) { b[i] = 1; i++, a[i] = 0; } /* must: a[] not covered */
    i = 0;
    while (i < N) { a[i] = 0; i++, b[0] += a[i]; } /* must: a[] not covered */
    for (i = 0; i < N; i++) {
    again:
        a[i] = 0; if (b[i] > 0) { b[i]--; goto again; }
    }
    for (i = 0; i < N; i++) ({ if (b[i] > 0) break; a[i] = 0; }); /* must: a[] not covered */
#pragma omp parallel for firstprivate(a)
    for (i = 0; i < N; i++) a[i] = 0; /* must: a[] not covered */
#pragma omp parallel
    {
        int mine = 0;
#pragma omp for
        for (i = 0; i < N; i++) { /* must: a[] not covered */
#pragma omp task
            a[i] = mine;
        }
    }
out:
    return;
}

int outer(int n)
{
    int i, j;
    for (j = 0; j < n; j++) { /* must: a[] not covered */
        for (i = 0; i < N; i++) a[i] = 0; /* should: a[] covered */
    }
    for (j = 0; j < 3; j++) { /* must: a[] not covered */
        b[j] = a[j];
        for (i = 0; i < N; i++) a[i] = 0; /* should: a[] covered */
    }
    for (j = 0; j < 3; j++) { /* must: a[] not covered */
        if (j == n) continue;
        for (i = 0; i < N; i++) a[i] = 0; /* should: a[] covered */
    }
    for (j = 0; j < 3; j++) { /* must: a[] not covered */
        for (i = a[0] = a[1], i = 0; i < N; i++) a[i] = 0;
    }
    return i;
}

void recursive(int depth)
{
    double local[N];
    double *keep = local;
    int i;
    for (i = 0; i < N; i++) { local[i] = depth; if (depth) recursive(depth - 1); } /* must: recursive::local[], local[] not covered */
    for (i = 0; i < N; i++) printf("%g", keep[i]);
}

int main(int argc, char **argv)
{
    double local[K];
    for (int i = 0; i < K; i++) local[i] = argc; /* should: local[] covered */
    up();
    others();
    not(argc);
    recursive(2);
    return outer(argc) + (int)local[0] + small[0];
}
