/* Asks the process that has started its shell for the end, and waits until that has come back as a signal. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile sig_atomic_t come;

static void note(int number)
{
    (void)number;
    come = 1;
}

/* The parent of the parent. */
static int starter(void)
{
    char path[64];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)getppid());
    FILE *stat = fopen(path, "r");
    if (stat == NULL || fscanf(stat, "%*d (%*[^)]) %*c %d", &parent) != 1)
        exit(9);
    fclose(stat);
    return parent;
}

int main(void)
{
    signal(SIGTERM, note);
#pragma cccp init
    long sum = 0, step;
#pragma cccp register(sum, step, come)
    for (step = 0; step < 6; step++) {
#pragma cccp checkpoint every(1)
        sum = 2 * sum + step;
        if (step == 3 && getenv("ASK") != NULL) {
            kill(starter(), atoi(getenv("ASK")));
            while (!come)
                usleep(1000);
        }
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
