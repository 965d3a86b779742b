/* What each thread does is kept by the number of threads, which is asked for before `init` or behind it. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct team {
    int size;
    double *sums;
};

static int size(void)
{
    return omp_get_max_threads();
}

static void gather(struct team *team)
{
    team->size = size();
    team->sums = calloc(team->size, sizeof *team->sums);
}

int main(void)
{
    struct team team;
    double sum = 0;
    int round;
#ifdef BEFORE
    gather(&team);
#pragma cccp init
#pragma cccp register(round, team.size, team.sums[team.size])
#else
#pragma cccp init
    gather(&team);
#pragma cccp register(round, team.size, team.sums[team.size])
#endif
#ifdef SETS
    omp_set_num_threads(team.size = 3);
    team.sums = realloc(team.sums, 3 * sizeof *team.sums);
    team.sums[0] = team.sums[1] = team.sums[2] = 0;
#pragma cccp register(team.size, team.sums[team.size])
#endif
    for (round = 0; round < 6; round++) {
#pragma cccp checkpoint
#pragma omp parallel
        {
            int me = omp_get_thread_num();
            for (int i = 0; i < 2400 / omp_get_num_threads(); i++)
                team.sums[me] += 1.0 / (1 + i + round);
        }
    }
    for (int i = 0; i < team.size; i++)
        sum += team.sums[i];
    printf("%d threads: %.17g\n", team.size, sum);
#pragma cccp shutdown
    return 0;
}
