/* A thread ends the run when its time is over, if the user asks for that: a run without it has checkpoints. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double field[64];

static void *countdown(void *seconds)
{
    sleep(*(unsigned *)seconds);
    exit(3);
    return NULL;
}

int main(int argc, char **argv)
{
    static unsigned seconds;
    int passes = argc > 1 ? atoi(argv[1]) : 40;
    if (argc > 2)
        seconds = (unsigned)atoi(argv[2]);
    if (seconds) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, countdown, &seconds) != 0)
            return 1;
    }
    for (int pass = 0; pass < passes; pass++) {
        field[0] = 1.0 + pass;
        for (int i = 1; i < 63; i++)
            field[i] = 0.5 * field[i - 1] + 0.25 * field[i] + 0.25 * field[i + 1];
    }
    printf("%.17g %.17g\n", field[5], field[40]);
    return 0;
}
