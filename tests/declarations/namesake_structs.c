/* Two files, each with a list of structs of its own that have the same name. */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    char name[16];
    struct cell *up;
    double sum;
};

void begin(void);
double march(long step);

int main(void)
{
    struct cell *top = NULL;
    double sum = 0;
    begin();
    for (int i = 0; i < 4; i++) {
        struct cell *c = calloc(1, sizeof *c);
        if (!c)
            return 1;
        snprintf(c->name, sizeof c->name, "cell %d", i);
        c->up = top;
        top = c;
    }
    for (long step = 0; step < 100; step++) {
        top->sum += march(step);
        sum += top->sum;
    }
    for (struct cell *c = top; c; c = c->up)
        printf("%s %.17g %.17g\n", c->name, c->sum, sum);
    return 0;
}
