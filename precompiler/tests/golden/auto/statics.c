/* Static locals are registered behind their declarations, where that costs nothing: by themselves, apart from what has to be
   executed. Pointers to memory that the first call allocates lead nowhere there yet. */
#include <stdio.h>
#include <stdlib.h>

struct state { int n; double x[3]; };

static double next(double v)
{
    double local = v;
    static unsigned long calls, more = 3;
    static struct state s; /* before: register(calls, more) */
    static double *buffer; /* before: register(s) */
    if (!buffer) /* before: register(buffer[]) */
        buffer = calloc(8, sizeof *buffer);
    more += ++calls;
    s.x[s.n++ % 3] += v;
    buffer[s.n % 8] += v;
    return local + s.x[0] + buffer[1] + more;
}

static double advance(int step, int n)
{
    static int passes;
    double sum = step; /* before: register(passes) */
    for (int i = 0; i < n; i++)
        sum += next(i + ++passes);
    return sum;
}

int main(int argc, char **argv)
{
    static double total;
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    for (int step = 0; step < 10; step++) { /* before: register(step) checkpoint */
        total += advance(step, n);
        printf("%d %.17g\n", step, total);
    }
    return 0;
}
