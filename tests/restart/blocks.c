/* p[]: whole blocks, as long as they are at the checkpoint, wherever they have gone. */
#define _GNU_SOURCE
#include <stdarg.h>
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

static char *said(const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    return text;
}

int main(void)
{
    double *u = NULL, *middle = NULL, (*rows)[3] = NULL;
    struct grid grid = {NULL, 0};
    struct pair *there;
    char *line = NULL, *name = NULL, *label = NULL, *number = NULL;
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
#pragma cccp register(label[], number[])
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
        free(label);
        if (asprintf(&label, "%s/%*d", name, 2 * step, step) < 0)
            return 1;
        free(number);
        number = said("%g of %d", step / 3.0, 8);
#pragma cccp checkpoint
        printf("%d: %g %g %d %g %s %d %g %d %zu", step, u[step - 1], *middle, (int)(middle - u), rows ? rows[1][2] : 0.0,
               name, grid.cells[step / 2].kind, grid.cells[step - 1].value[1], (int)strlen(line), (size_t)(room >= strlen(line)));
        printf(" %g %d %s %s\n", there->first, there->second, label, number);
        if (never != NULL || empty == NULL)
            return 2;
    }
    free(empty);
    free(there);
    free(grid.cells);
    free(line);
    free(name);
    free(label);
    free(number);
    free(u);
#pragma cccp shutdown
    return 0;
}
