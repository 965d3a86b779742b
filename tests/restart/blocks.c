/* p[]: whole blocks, as long as they are at the checkpoint, wherever they have gone. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    short kind;
    double value[2];
};

struct grid {
    struct cell *cells;
    int count;
};

struct pair {
    double first;
    int second;
};

int main(void)
{
    double *u = NULL, *middle = NULL, (*rows)[3] = NULL;
    struct grid grid = {NULL, 0};
    struct pair *there;
    char *line = NULL, *name = NULL;
    size_t room = 0;
    unsigned char *empty;
    double *never = NULL;
    int step;
    FILE *words = NULL;
#pragma cccp init
    there = malloc(sizeof *there);
    there->second = 0;
    empty = malloc(0);
#pragma cccp register(step, u[], middle[], rows[], grid.count, grid.cells[], follow(line), room, name[], empty[], never[])
#pragma cccp register(there[])
#pragma cccp register(there->second)
    for (step = 1; step < 8; step++) {
        u = realloc(u, (size_t)step * sizeof *u);
        u[step - 1] = step * 1.5;
        middle = u + step / 2;
        if (step == 3)
            rows = malloc(2 * sizeof *rows);
        if (step == 5) {
            free(rows);
            rows = NULL;
        }
        if (rows)
            for (int i = 0; i < 6; i++)
                rows[i / 3][i % 3] = step + i;
        grid.cells = realloc(grid.cells, (size_t)++grid.count * sizeof *grid.cells);
        grid.cells[step - 1].kind = (short)-step;
        grid.cells[step - 1].value[0] = grid.cells[step - 1].value[1] = step / 8.0;
        there->first = step / 4.0;
        there->second += step;
        words = tmpfile();
        for (int i = 0; i < step * 40; i++)
            fputc('a' + i % 26, words);
        rewind(words);
        if (getline(&line, &room, words) < 0)
            return 1;
        fclose(words);
        free(name);
        name = strndup(line, (size_t)step);
#pragma cccp checkpoint
        printf("%d: %g %g %d %g %s %d %g %d %zu", step, u[step - 1], *middle, (int)(middle - u), rows ? rows[1][2] : 0.0,
               name, grid.cells[step / 2].kind, grid.cells[step - 1].value[1], (int)strlen(line), (size_t)(room >= strlen(line)));
        printf(" %g %d\n", there->first, there->second);
        if (never != NULL || empty == NULL)
            return 2;
    }
    free(empty);
    free(there);
    free(grid.cells);
    free(line);
    free(name);
    free(u);
#pragma cccp shutdown
    return 0;
}
