/* Marked by hand: variables of clauses that are called like what a written out loop needs itself, and a nest whose variables keep the
   values of its end. */
#include <stdio.h>
static double u[600];
int main(void)
{
    long long count = 3, at = 1, first = 2, me = 0, team = 4, base = 0, next = 0;
    int last = -1, end = -2, i = -1, j = -1;
#pragma cccp init
#pragma cccp register(u, count, at, first, me, team, base, next, last, end, i, j)
#pragma omp parallel
    {
#pragma omp for reduction(+ : count, at, next, base) reduction(max : first) lastprivate(last, end) firstprivate(me, team)
        for (int k = 0; k < 600; k++) {
#pragma cccp register(k, count, at, first, me, team, base, next, last, end)
#pragma cccp checkpoint
            count += k;
            at += k * 2;
            next += k % 5;
            base += k % 3;
            first = first < k ? k : first;
            last = k;
            end = k * 2 + (int)team;
            u[k] += me + team;
        }
#pragma omp for collapse(2) lastprivate(i, j) schedule(dynamic, 4)
        for (i = 10; i > 0; i -= 3)
            for (j = 0; j < 50; j += 4) {
#pragma cccp register(i, j)
#pragma cccp checkpoint
                u[i * 50 + j] += i;
            }
#pragma omp single
        count += i * 1000 + j;
    }
#pragma omp parallel for collapse(3) lastprivate(j, i)
    for (int k = 0; k < 2; k++)
        for (i = 0; i < 10; i++)
            for (j = 5; j < 12; j++) {
#pragma cccp register(i, j, k)
#pragma cccp checkpoint
                u[k * 300 + i * 20 + j] += j;
            }
    double sum = 0;
    for (int k = 0; k < 600; k++)
        sum += u[k] * k;
    printf("%.17g %lld %lld %lld %lld %lld %d %d %d %d\n", sum, count, at, first, base, next, last, end, i, j);
#pragma cccp shutdown
    return 0;
}
