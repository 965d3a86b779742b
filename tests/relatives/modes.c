/* A program of several modes: what only those would do that this build does not have counts for nothing. There are threads that go
   on beside checkpoints among it, and a function that nobody defines; a label keeps another branch in the picture. */
#include <pthread.h>
#include <stdio.h>

#define MODE 1
enum { CHECKED = 0 };

static double cells[64];
static int rounds;

static void *watch(void *nothing)
{
    while (rounds >= 0) cells[63] += 1e-300;
    return nothing;
}

static void in_threads(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, watch, NULL);
    pthread_detach(thread);
}

void elsewhere(double *all);

static double step(int t)
{
    double sum = 0;
    for (int i = 0; i < 63; i++) {
        cells[i] = 0.5 * (cells[i] + cells[i + 1]) + 0.001 * t;
        sum += cells[i];
    }
    if (CHECKED) elsewhere(cells);
    return sum;
}

int main(void)
{
    int skipped = 0;
    if (MODE == 1) {
        for (int t = 0; t < 40; t++) {
            printf("%d %.12g\n", t, step(t));
            rounds++;
        }
    } else if (MODE == 2) {
        in_threads();
    } else {
        elsewhere(cells);
    }
    if (rounds > 0) goto behind;
    if (MODE == 3) {
    behind:
        skipped += rounds;
    }
    printf("%d\n", skipped);
    return 0;
}
