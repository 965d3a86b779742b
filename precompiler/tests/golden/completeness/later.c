/* Blocks that read what a register before them has brought back as it was at the checkpoint. */
#include <stdio.h>
#include <stdlib.h>

struct grid { int n, fixed; int *words; };

int again(int count);

static int rounds, ways, twice, made, own;

/* Memory that a caller hands in, without a name here. */
static int take(struct grid *g)
{
    int first = g->words[0];
    g->words[0] = 0;
    return first;
}

static void set(struct grid *g)
{
#pragma cccp execute on restart
    made = take(g);
#pragma cccp end execute
}

int main(int argc, char **argv)
{
    (void)argv;
#pragma cccp init
    struct grid g = { 0, 0, NULL };
    int step, local;
#pragma cccp register(rounds, ways, g.n, g.fixed, step)
    rounds = argc + 10;
    ways = argc;
    g.n = argc + 2;
    g.fixed = argc + 3;
    local = g.n;
#pragma cccp execute on restart
    twice = 2 * rounds;
#pragma cccp end execute
#pragma cccp execute on restart
    twice += g.fixed + local;
#pragma cccp end execute
#pragma cccp execute on restart
    own = g.n + ways++;
#pragma cccp end execute
    g.words = malloc(sizeof *g.words);
    g.words[0] = argc;
    set(&g);
#pragma cccp register(g.words, g.words[1])
    for (step = 0; step < 20; step++) {
#pragma cccp checkpoint
        rounds++;
        g.n += step;
        printf("%d %d %d %d %d\n", step, twice, made, own, g.words[0]);
        local++;
    }
    rounds = ways = g.fixed = 0;
    again(argc);
#pragma cccp shutdown
    return g.n + rounds + local;
}

/* A number that the block reads by its address is not kept for it. */
static void by_address(const int *n) { made = 10 * *n; }

int again(int count)
{
    int n = count + 4, m = count + 5;
#pragma cccp execute on restart
    by_address(&n);
    own = m;
#pragma cccp end execute
    for (int i = 0; i < 20; i++) {
#pragma cccp register(i)
/* must: n missing */
/* should: m absent */
#pragma cccp checkpoint
        printf("%d\n", made + own);
    }
    return 0;
}
