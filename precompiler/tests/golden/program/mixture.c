#include <stdio.h>
#include <stdlib.h>
#define N 10
#define CHECK(x) do { if ((x) != 0) abort(); } while (0)
typedef struct { double x, v; int ids[4]; } particle;
enum color { RED, GREEN = 5, BLUE };
static particle *p; static double grid[N][2 * N];
int table[] = {1, 2, 3};
static int step(particle *q, int n) {
    int i, sum = 0;
    static const double w[3] = {1, 2, 3};
    #pragma cccp client(abs)
    for (i = 0; i < n; i++) { q[i].x += w[i % 3]; sum += abs(i); }
    #pragma cccp checkpoint every(N) if(n > 3)
    return sum;
}
int main(int argc, char **argv) {
    int n = N, k = 0, *u = malloc(n * sizeof *u); double a[n][3];
    #pragma cccp init
    #pragma cccp register(n, k, u[n], \
        a, grid, p[n].x, p->ids, p[2:n], table)
    particle q = {0};
    if (argc > 1) k = step(p, n);
  again:
    #pragma cccp checkpoint
    CHECK(step(p, N)); printf("%d %s\n", k, (char *)NULL);
    k = (n + 1) * step(&q, n) + BLUE;
    if (k) goto again; else (void)(q.x + k);
    #pragma cccp execute on restart
    u = realloc(u, 3);
    #pragma cccp end execute
    return 0;
}
