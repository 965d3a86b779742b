/* A block that points to a local below memory of the stack that is as long as ROOM says. */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct holder {
    double value;
    double *sum;
};

static void work(struct holder *holder)
{
    double sum = 0;
    int step;
    holder->sum = &sum;
    for (step = 0; step < 8; step++) {
#pragma cccp register(sum, step, holder)
#pragma cccp checkpoint every(1)
        *holder->sum += step;
    }
    printf("%g\n", sum);
}

int main(void)
{
    const char *room = getenv("ROOM");
    char *text = alloca(room ? atoi(room) : 16);
    struct holder *holder;
    memset(text, 0, 16);
#pragma cccp init heap(fixed)
    holder = calloc(1, sizeof *holder);
    work(holder);
    return text[0];
}
