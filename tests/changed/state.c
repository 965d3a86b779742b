/* A state whose program is changed in the middle of a run. Each macro is one change. */
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 3
#endif
#ifndef COLUMNS
#define COLUMNS 2
#endif
#ifndef LENGTH
#define LENGTH 4
#endif
#ifndef COUNT
#define COUNT int
#endif
#ifndef TOTAL
#define TOTAL double
#endif
#ifndef LEVEL
#define LEVEL int
#endif
#ifndef MARKS
#define MARKS 2
#endif

#ifdef RENAMED
#define line row
#endif

struct cell {
#ifdef SWAPPED
    LEVEL level;
    double x;
#else
    double x;
#ifdef CHARGE
    double charge;
#endif
#ifndef NO_LEVEL
    LEVEL level;
#endif
#endif
    int marks[MARKS];
    unsigned bits : 5;
    int *watch;
};

static double grid[ROWS][COLUMNS];
static int counters[2] = {0, 0};

int main(void)
{
#pragma cccp init
    long step;
    COUNT count = 0;
    TOTAL total = 0;
    long n = 3;
    struct cell *cells = calloc(n, sizeof *cells);
    double *line = calloc(LENGTH, sizeof *line);
#ifdef ADDED
    long extra = 0;
    double *more = calloc(n, sizeof *more);
#endif
#ifdef UNKNOWN
    long size = 5;
    double *more = calloc(size, sizeof *more);
    size = 6;
#endif

    for (long i = 0; i < n; i++) {
        cells[i].x = 1;
        cells[i].watch = &counters[i % 2];
    }
#if defined ADDED
#pragma cccp register(step, count, total, n, cells[n], grid, counters, line[LENGTH], extra, more[n])
#elif defined UNKNOWN
#pragma cccp register(step, count, total, n, cells[n], grid, counters, line[LENGTH], more[size])
#elif defined REMOVED
#pragma cccp register(step, count, total, n, cells[n], line[LENGTH])
#elif defined RENAMED
#pragma cccp register(step, count, total, n, cells[n], grid, counters, row[LENGTH])
#elif defined ORDERED
#pragma cccp register(line[LENGTH], grid, counters, n, total, count, step, cells[n])
#elif defined EXPRESSION
#pragma cccp register(step, count, total, n, cells[1 * n], grid, counters, line[LENGTH])
#elif defined POINTER
#pragma cccp register(step, count, total, n, cells[n], grid, counters, line)
#else
#pragma cccp register(step, count, total, n, cells[n], grid, counters, line[LENGTH])
#endif
    for (step = 0; step < 10; step++) {
#pragma cccp checkpoint
        count++;
        total += 0.5 * count;
        for (long i = 0; i < n; i++) {
            cells[i].x *= 1.5;
#ifndef NO_LEVEL
            cells[i].level += (int)i;
#endif
            cells[i].marks[MARKS - 1]++;
            cells[i].bits++;
#ifndef REMOVED
            ++*cells[i].watch;
#endif
#ifdef CHARGE
            cells[i].charge += 2;
#endif
        }
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                grid[i][j] += i + 10 * j;
        for (int i = 0; i < LENGTH; i++)
            line[i] += i + 1;
#ifdef ADDED
        extra++;
        more[n - 1] += 3;
#endif
    }
    printf("step %ld count %ld total %.2f\n", step, (long)count, (double)total);
    for (long i = 0; i < n; i++) {
        printf("cell %.4f", cells[i].x);
#ifndef NO_LEVEL
        printf(" %ld", (long)cells[i].level);
#endif
        for (int j = 0; j < MARKS; j++)
            printf(" %d", cells[i].marks[j]);
#ifdef CHARGE
        printf(" charge %.0f", cells[i].charge);
#endif
        printf(" %u\n", (unsigned)cells[i].bits);
    }
    printf("grid");
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            printf(" %.0f", grid[i][j]);
    printf("\nline");
    for (int i = 0; i < LENGTH; i++)
        printf(" %.0f", line[i]);
    printf("\n");
#ifndef REMOVED
    printf("counters %d %d\n", counters[0], counters[1]);
#endif
#ifdef ADDED
    printf("extra %ld more %.0f %.0f\n", extra, more[0], more[n - 1]);
#endif
#pragma cccp shutdown
    return 0;
}
