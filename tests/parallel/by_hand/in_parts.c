/* Large arrays of several types that all threads of a region save and restore in parts: numbers, bytes, structs, and blocks that
 * pointers lead to. Threads come equally often, or, with OUT_OF_STEP, each as often as it has work. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 120001
#define ROWS 37

struct cell {
    double value;
    short kind;
    char mark;
};

static unsigned char picture[N + 2];
static struct cell cells[N];

int main(void)
{
    double *u, **rows, sum = 0;
    unsigned long mix = 0;
    int i, steps = 0;
#pragma cccp init
    u = malloc(N * sizeof *u);
    rows = malloc(ROWS * sizeof *rows);
    for (i = 0; i < N; i++)
        u[i] = i * 0.5;
    for (i = 0; i < ROWS; i++)
        rows[i] = calloc(N / ROWS, sizeof **rows);
#pragma cccp register(u[N], follow(rows), picture, cells, steps)
#pragma omp parallel
    {
        int number = omp_get_thread_num(), step;
#pragma cccp register(number)
        for (step = 0; step < 18; step++) {
            int times, k;
#pragma cccp register(step)
            times = 1;
#ifdef OUT_OF_STEP
            times += (number + step) % 2;
#else
            times += number < 0;
#endif
            for (k = 0; k < times; k++) {
#pragma cccp register(times, k)
#pragma cccp checkpoint
            }
#pragma omp for schedule(static)
            for (int i = 0; i < N; i++) {
                u[i] = u[i] * 0.75 + step;
                picture[i] += i % 7 + step;
                cells[i].value += u[i];
                cells[i].kind = (short)(cells[i].kind - i);
                cells[i].mark ^= (char)(step + i);
                if (i < N / ROWS * ROWS)
                    rows[i % ROWS][i / ROWS] += cells[i].value;
            }
#pragma omp single
            steps++;
        }
    }
    for (i = 0; i < N; i++) {
        sum += u[i] + cells[i].value;
        mix = mix * 31 + picture[i] + (unsigned short)cells[i].kind + (unsigned char)cells[i].mark;
    }
    for (i = 0; i < N / ROWS * ROWS; i++)
        sum += rows[i % ROWS][i / ROWS];
    printf("%d steps, sum %.17g, mix %lu\n", steps, sum, mix);
#pragma cccp shutdown
    return 0;
}
