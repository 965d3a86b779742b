#include <stdio.h>
#include <stdlib.h>
/* init in another function, K&R and const parameters, recursion with variable-length arrays, conditions that move. */
static int count;
static double *work_area;
static int n;
void start(int *argc, char ***argv)
{
#pragma cccp init
    (void)argc; (void)argv;
#pragma cccp register(count, n)
}
static int tick(int x)
{
#pragma cccp checkpoint
    count = (count * 31 + x) % 10007;
    return x;
}
static int old(a, b)
    int a; double b;
{
    a += tick((int)b);
    return a;
}
static int unnamed(const int k, int unused, const double *const v)
{
    int local = k;
    (void)unused;
#pragma cccp register(local, k)
    local += tick(k) + (int)v[0];
    return local + k;
}
static int rec(int depth, int m)
{
    int buf[depth + 1], i, s = 0;
#pragma cccp register(buf, s, i)
    for (i = 0; i <= depth; i++)
        buf[i] = i * m;
    if (depth > 0)
        for (i = 0; i < 2; i++)
            s += rec(depth - 1, m + i) + tick(buf[depth]);
    for (i = 0; i <= depth; i++)
        s += buf[i];
    return s;
}
static int moved(int limit)
{
    int i = 0, s = 0, r = 0;
#pragma cccp register(i, s, r)
    do {
        if (i % 2)
            continue;
        s += i;
    } while (tick(++i) < limit);
    for (i = 0; tick(i) < limit; i += tick(1)) {
        if (i == 1)
            continue;
        if (i == 3)
            break;
        s += i;
        switch (tick(i)) { case 0: s++; continue; case 2: s += 2; break; default: tick(5); }
    }
    while (tick(r) < 3) { if (r++ == 1) continue; s += r; }
    for (;;) {
#pragma cccp checkpoint
        if (++r > 6) break;
    }
    for (int q = 0; q < 3; q++)
        if (q) {
            s += q;
#pragma cccp register(q)
#pragma cccp checkpoint
        }
    return s;
}
int main(int argc, char **argv)
{
    int a, b = 0, c = 0;
    start(&argc, &argv);
    n = 4;
    work_area = malloc(n * sizeof *work_area);
    for (a = 0; a < n; a++)
        work_area[a] = a + 1;
#pragma cccp register(a, b, c, work_area[n])
    for (a = 0; a < 3; a++) {
        b += old(a, 2.5) + unnamed(a, 0, work_area);
        c += rec(a, 1);
        work_area[a] += moved(3 + a);
    }
    printf("%d %d %d %g\n", count, b, c, work_area[2]);
#pragma cccp shutdown
    free(work_area);
    return 0;
}
