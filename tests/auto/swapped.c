/* Two matrices of rows, and two blocks, that change places after every step: at a checkpoint each pointer has to bring what
 * it leads to then. */
#include <stdio.h>
#include <stdlib.h>

struct field {
    int n;
    double *now, *next;
};

static char **rows(int n)
{
    char **all = malloc((size_t)n * sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = calloc((size_t)n, 1);
    return all;
}

static int neighbours(char **all, int n, int i, int j)
{
    int count = 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++)
            if (down != 0 || right != 0)
                count += all[(i + down + n) % n][(j + right + n) % n];
    return count;
}

static void relax(struct field *field)
{
    double *last = field->now;
    for (int i = 1; i < field->n - 1; i++)
        field->next[i] = 0.25 * field->now[i - 1] + 0.5 * field->now[i] + 0.25 * field->now[i + 1];
    field->now = field->next;
    field->next = last;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 24;
    char **cells = rows(n), **others = rows(n);
    struct field field = {100, calloc(100, sizeof(double)), calloc(100, sizeof(double))};

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cells[i][j] = (i * i + 3 * j + i * j) % 5 < 2;
    for (int i = 0; i < 100; i++)
        field.now[i] = field.next[i] = i % 7;
    for (int step = 1; step <= 40; step++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int count = neighbours(cells, n, i, j);
                others[i][j] = count == 3 || (count == 2 && cells[i][j]);
            }
        char **last = cells;
        cells = others;
        others = last;
        relax(&field);
        if (step % 10 == 0) {
            int alive = 0;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    alive += cells[i][j];
            printf("%d: %d alive, %.17g\n", step, alive, field.now[50]);
        }
    }
    return 0;
}
