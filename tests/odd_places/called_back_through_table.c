/* A table of functions with marks and without; the C library's calls a function with marks in its turn.
   told: compare ( */
#include <stdio.h>
#include <stdlib.h>

static int v[8] = {5, 2, 9, 1, 7, 3, 8, 4}, calls, step;

static int compare(const void *a, const void *b)
{
    calls++;
#pragma cccp checkpoint
    return *(const int *)a - *(const int *)b;
}

static void bubble(void *base, size_t n, size_t size, int (*order)(const void *, const void *))
{
    size_t i, j;
    int *w = base;
    (void)size;
#pragma cccp register(i, j, w, n)
    for (i = 0; i + 1 < n; i++)
        for (j = 0; j + 1 < n - i; j++) {
            int c = order(w + j, w + j + 1);
            if (c > 0) { int t = w[j]; w[j] = w[j + 1]; w[j + 1] = t; }
        }
}

static void (*const sorts[2])(void *, size_t, size_t, int (*)(const void *, const void *)) = {bubble, qsort};

int main(void)
{
#pragma cccp init
#pragma cccp register(v, calls, step)
    for (step = 0; step < 4; step++) {
        sorts[step % 2](v, 8, sizeof v[0], compare);
        for (int i = 0; i < 8; i++) {
            printf("%d ", v[i]);
            v[i] = (v[i] * 7 + step) % 11;
        }
        printf("%d\n", calls);
    }
#pragma cccp shutdown
    return 0;
}
