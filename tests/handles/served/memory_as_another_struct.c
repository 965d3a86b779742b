/* A struct of which no file says what is in it, whose memory is the program's: it is made as another struct, and functions that take
   it are called through pointers, all of them the program's own. */
#include <stdio.h>
#include <stdlib.h>

struct hidden;

struct engine {
    double (*step)(struct engine *, int);
    struct hidden *decoder;
    double sum;
};

struct counter {
    double seen[4];
    int calls;
};

static struct hidden *counter_new(void)
{
    return (struct hidden *)calloc(1, sizeof(struct counter));
}

static double count(struct hidden *decoder, int i)
{
    struct counter *counter = (struct counter *)decoder;
    counter->calls++;
    return counter->seen[i % 4] += i * 0.5;
}

static double plain(struct engine *engine, int i)
{
    return engine->sum + count(engine->decoder, i);
}

static double doubled(struct engine *engine, int i)
{
    return engine->sum + 2 * count(engine->decoder, i);
}

int main(int argc, char **argv)
{
    struct engine *engine = calloc(1, sizeof *engine);
    engine->step = argc > 1 ? doubled : plain;
    engine->decoder = counter_new();
    double (*also)(struct hidden *, int) = count;
    for (int i = 0; i < 14; i++) {
        engine->sum = engine->step(engine, i);
        engine->sum += also(engine->decoder, i + 1);
    }
    printf("%g %g\n", engine->sum, count(engine->decoder, 1));
    return 0;
}
