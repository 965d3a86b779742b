/* Structs of the same name in two functions: the callee with the checkpoint has an array of its own, the caller a list that is live. */
#include <stdio.h>
#include <stdlib.h>

static double state[8];

static void march(long steps)
{
    struct cell { double v; int k; } old[8];
    for (int i = 0; i < 8; i++) {
        old[i].v = i;
        old[i].k = 1;
    }
    for (long s = 0; s < steps; s++) {
        for (int i = 0; i < 8; i++) {
            state[i] += old[(i + 1) % 8].v * 0.25;
            old[i].v = state[i] / (1 + old[i].k);
            old[i].k = (old[i].k * 7 + 3) % 11;
        }
    }
    printf("%.17g\n", old[3].v);
}

int main(int argc, char **argv)
{
    struct cell { char name[16]; struct cell *up; double sum; } *top = NULL;
    for (int i = 0; i < 4; i++) {
        struct cell *c = calloc(1, sizeof *c);
        if (!c)
            return 1;
        snprintf(c->name, sizeof c->name, "cell %d", i);
        c->up = top;
        top = c;
        c->sum = i * argc;
    }
    march(200);
    for (struct cell *c = top; c; c = c->up)
        printf("%s %.17g %.17g\n", c->name, c->sum, state[2]);
    (void)argv;
    return 0;
}
