/* A checkpoint in each form of a loop that threads share: every iteration is executed once, in a restart too. */
#include <omp.h>
#include <stdio.h>

#define N 24

static unsigned seen[16][4 * N];
static int low = 3, high = 19, by = 4;

int main(void)
{
    long total = 0;
    int k;
#pragma cccp init
#pragma cccp register(seen, total)
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint
        seen[0][i]++;
    }
#pragma omp parallel for reduction(+ : total) num_threads(3)
    for (k = N; k >= -2; --k) {
#pragma cccp register(k, total)
#pragma cccp checkpoint
        seen[1][k + 2] += 2;
        total += k;
    }
#pragma omp parallel for schedule(static, 3)
    for (unsigned u = 1; u <= N; u += 2) {
#pragma cccp register(u)
#pragma cccp checkpoint
        seen[2][u] += u;
    }
#pragma omp parallel for schedule(dynamic)
    for (long i = high; low < i; i -= by) {
#pragma cccp register(i)
#pragma cccp checkpoint
        seen[3][i] += 1;
    }
#pragma omp parallel for schedule(guided, 2) if (N > 2)
    for (short i = 0; i != N; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint
        seen[4][i] += 5;
    }
#pragma omp parallel for schedule(dynamic, 4) default(none) shared(seen, high)
    for (int i = 2; i < high + 2; i = 3 + i) {
#pragma cccp register(i)
#pragma cccp checkpoint
        seen[5][i] += 6;
    }
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 5; i++)
        for (int j = 8; j > 0; j -= 2) {
#pragma cccp register(i, j)
#pragma cccp checkpoint
            seen[6][i * 9 + j] += 7;
        }
    int i, j, l;
#pragma omp parallel for collapse(3) schedule(static, 2) private(k)
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 2; j++) {
            for (l = 1; l <= 4; l++) {
                if (l == 3)
                    continue;
                k = i * 8 + j * 4 + l;
#pragma cccp register(i, j, l, k)
#pragma cccp checkpoint
                seen[7][k]++;
            }
        }
    }
#pragma omp parallel for
    for (i = 9; i < 9; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint
        seen[8][i]++;
    }
#ifndef __clang__
#pragma omp parallel for shared(i, seen)
#else
#pragma omp parallel for
#endif
    for (i = 0; i < 7; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint
        seen[9][i] += 3;
    }
#pragma omp for
    for (i = 5; i < 12; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint
        seen[9][i] += 4;
    }
#pragma omp parallel
#pragma omp for reduction(+ : total)
    for (i = 0; i < 2; i++) {
#pragma cccp register(i, total)
#pragma cccp checkpoint
        total += 100 + i;
    }
    unsigned sum = 0;
    for (i = 0; i < 16; i++)
        for (j = 0; j < 4 * N; j++)
            sum = sum * 31 + seen[i][j];
    printf("%ld %u\n", total, sum);
#pragma cccp shutdown
    return 0;
}
