/* Arrays of variable length before `init`: two extents, by macro, by typedef, in a branch. */
#include <stdio.h>
#include <stdlib.h>
typedef struct { int n, m; } size_s;
static size_s size;
static int cols(void) { return size.m; }
#define ROOM(T, name) T name[size.n][cols()]
static double run(int k)
{
    double x = 0;
    ROOM(double, w);
    typedef int row[k];
    row r;
    for (int a = 0; a < size.n; a++) for (int b = 0; b < size.m; b++) w[a][b] = a * b;
    for (int a = 0; a < k; a++) r[a] = a;
    if (k > 2) {
        long z[k + 1];
        z[k] = 5; z[0] = 1;
#pragma cccp init
        int i;
#pragma cccp register(x, i, w, r, z, k)
        for (i = 0; i < 10; i++) {
#pragma cccp checkpoint
            for (int a = 0; a < size.n; a++) x += w[a][i % size.m] += r[i % k] + z[k];
            z[k] += i;
        }
#pragma cccp shutdown
    }
    return x;
}
int main(int argc, char **argv)
{
    size.n = 5 + argc; size.m = 3;
    printf("%g\n", run(4));
    return argv[argc] != NULL;
}
