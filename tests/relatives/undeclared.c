/* Old C: functions are called before anything declares them, defined further on, in another file, with results and without. */
#include <stdio.h>
#include <stdlib.h>

int limit;
static int shown;

int main(argc, argv)
int argc;
char **argv;
{
    int total;
    limit = 12 + (argv[argc] != NULL);
    prepare(3);
    total = 2 * run_all(limit) + finished();
    show("total", total);
    return 0;
}

int run_all(steps)
int steps;
{
    int step, sum = 0;
    for (step = 0; step < steps; step++) {
        if (one_step(step, sum) > 40 && halves(sum))
            sum /= 2;
        sum += weight(step);
        show("sum", sum);
    }
    return sum;
}

void show(what, value)
char *what;
int value;
{
    printf("%d %s %d\n", ++shown, what, value);
}
