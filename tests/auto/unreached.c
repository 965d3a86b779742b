/* What nothing reaches from `main` does not run, however much of it there is: a library given as source. Who is named runs:
   in a table, by an attribute. The words of the command line may be of constant characters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct body { struct body *next; double x; char *name; };
struct engine { struct body *first; const char *word; int steps; };

static struct engine default_engine;
extern int of_some_library(struct engine *);

/* The part of the interface that this program does not use. */
struct body *engine_copy(const struct body *from)
{
    struct body *made = malloc(sizeof *made);
    memcpy(made, from, sizeof *from);
    default_engine.first = made;
    default_engine.word = strtok(made->name, " ");
    return made;
}

__attribute__((unused)) static int engine_load(const char *text)
{
    char copy[64];
    strcpy(copy, text);
    engine_copy((struct body *)copy);
    return of_some_library(&default_engine);
}

static void add(struct engine *engine, double x)
{
    struct body *made = calloc(1, sizeof *made);
    if (made == NULL)
        exit(1);
    made->next = engine->first;
    made->x = x;
    engine->first = made;
}

static void drift(struct engine *engine)
{
    for (struct body *one = engine->first; one != NULL; one = one->next)
        one->x += 0.5 * engine->steps;
}

static double total, started;

__attribute__((constructor)) static void start(void)
{
    started = 2.0;
}

static void collect(struct engine *engine)
{
    for (struct body *one = engine->first; one != NULL; one = one->next)
        total += one->x * started;
}

static void (*const phases[])(struct engine *) = {drift, collect};

int main(int argc, const char *argv[])
{
    static struct engine engine;
    for (int i = 0; i < 8; i++)
        add(&engine, i);
    for (int step = 0; step < 12; step++) {
        engine.steps = step;
        for (int phase = 0; phase < 2; phase++)
            phases[phase](&engine);
        if (strcmp(argv[argc - 1], "quietly") == 0)
            total /= 2;
    }
    fprintf(stderr, "done\n");
    printf("%.17g\n", total);
    return 0;
}
