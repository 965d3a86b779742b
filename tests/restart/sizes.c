/* Sizes that depend on registered variables, arrays of several dimensions, variable-length arrays and parts. */
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int rows, columns;
    double *cell;
    int edge[4];
};

static double sum_of(int n, double v[n])
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

static double smooth(struct grid *g, int sweeps)
{
    int n = g->columns;
    double row[n], last = 0.0;
    float corner[2][n + 1];
    int sweep;
#pragma cccp register(n, row, corner, last, sweep)

    for (int i = 0; i < n; i++) {
        row[i] = i;
        corner[0][i] = corner[1][i] = (float)i / 3.0f;
    }
    corner[0][n] = corner[1][n] = 0.5f;
    for (sweep = 0; sweep < sweeps; sweep++) {
#pragma cccp checkpoint
        for (int i = 0; i < n; i++) {
            row[i] += g->cell[sweep % g->rows * n + i] + (double)corner[sweep % 2][n - i];
            corner[(sweep + 1) % 2][i] += (float)row[i];
        }
        last = sum_of(n, row);
    }
    return last;
}

int main(void)
{
#pragma cccp init
    struct grid g = {3, 5, NULL, {1, 2, 3, 4}};
    double result = 0.0;
    int table[2][3] = {{1, 2, 3}, {4, 5, 6}};
    long *part = malloc(20 * sizeof *part);
    int round;

    g.cell = malloc(sizeof(double) * g.rows * g.columns);
    for (int i = 0; i < 15; i++)
        g.cell[i] = i * 0.125;
    for (int i = 0; i < 20; i++)
        part[i] = i;
#pragma cccp register(g.rows, g.columns, g.cell[g.rows][g.columns], g.edge, table, part[0:20], result, round)

    for (round = 0; round < 3; round++) {
        double extra[round + 1];
        for (int i = 0; i <= round; i++)
            extra[i] = result + i;
#pragma cccp register(extra)
        result += smooth(&g, 3);
        table[1][round] += (int)result % 7;
        part[round + 4] *= 3;
        g.edge[round]++;
        result += sum_of(round + 1, extra);
    }
    long check = 0;
    for (int i = 0; i < 20; i++)
        check = check * 3 + part[i];
    printf("%.17g %ld %d %d %d\n", result, check, table[1][0], table[1][2], g.edge[2]);
    free(g.cell);
    free(part);
#pragma cccp shutdown
    return 0;
}
