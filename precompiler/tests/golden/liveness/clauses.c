/* OpenMP: what clauses evaluate is read, also where a directive belongs to no statement. */
#include <stdio.h>

int main(int argc, char **argv)
{
    int done = argc > 5, team = argc, first = argc + 1, chunk = 2, many = argc > 1, i, n = argc + 3;
    int task = 3, reduction = 0, in = 1;
    int sum[4] = {0, 0, 0, 0}, low = 0, length = 4;
    /* must: done live, team live, first live, chunk live, many live, low live, length live, in live, task live */
    /* should: reduction dead */
#pragma cccp checkpoint
#pragma omp parallel num_threads(team) if(parallel : many)
    {
#pragma omp for firstprivate(first) lastprivate(first) schedule(dynamic, chunk) reduction(+ : sum[low : length])
        for (i = 0; i < n; i++) {
#pragma omp cancel for if(done)
            sum[i & 3] += i;
            first = i;
        }
    }
    reduction = 5;
#pragma omp parallel for shared(task, in)
    for (i = 0; i < n; i++)
        if (i == task)
            printf("%d\n", i + in);
    printf("%d %d %d\n", sum[0], first, reduction);
    return 0;
}
