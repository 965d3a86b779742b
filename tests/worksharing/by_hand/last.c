/* Marked by hand: shared loops whose variables have the value of the last iteration afterwards, beside first values and sums. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    struct state { double at; int many; } state = {0.5, argc};
    int n = argc > 1 ? atoi(argv[1]) : 2000, i = -1, k = 7, turn = 3;
    double sum = 0, most = 0, tail[2] = {1, 2}, *u = calloc(n, sizeof *u);
    if (!u)
        return 1;
#pragma cccp init
#pragma cccp register(u[n], n, i, k, turn, sum, most, tail, state)
#pragma omp parallel
    {
#pragma omp for firstprivate(turn) lastprivate(i, tail, k) reduction(+ : sum) schedule(static)
        for (i = 0; i < n; i++) {
#pragma cccp register(i, turn, tail, k, sum)
#pragma cccp checkpoint
            k = i * 3 % 1000;
            tail[i & 1] = u[i] = k + turn;
            tail[!(i & 1)] = i * 0.5;
            turn = (turn * 7 + i) % 11;
            sum += k;
        }
#pragma omp for firstprivate(state) lastprivate(state) reduction(max : most) schedule(static, 7)
        for (int j = n - 1; j >= 0; j -= 2) {
#pragma cccp register(j, state, most)
#pragma cccp checkpoint
            state.at = state.at * 0.5 + u[j];
            state.many += j;
            most = most < state.at ? state.at : most;
        }
#pragma omp for lastprivate(k) schedule(dynamic, 5)
        for (int j = 0; j < n; j++) {
#pragma cccp register(j, k)
#pragma cccp checkpoint
            k = j;
            u[j] += k * 0.25;
        }
    }
    printf("%d %d %d %g %g %.17g %d %.17g %.17g\n", i, k, turn, tail[0], tail[1], state.at, state.many, sum, most);
#pragma omp parallel for default(none) shared(u, n) firstprivate(turn, state) lastprivate(state, i) reduction(+ : sum)
    for (i = 0; i < n; i++) {
#pragma cccp register(i, turn, state, sum)
#pragma cccp checkpoint
        state.at = u[i] + turn;
        turn = (turn * 7 + i) % 11;
        sum += state.at;
    }
#pragma cccp shutdown
    printf("%d %d %.17g %d %.17g\n", i, turn, state.at, state.many, sum);
    free(u);
    return 0;
}
