/* What the first call of a function computes, the first call after a restart computes again. */
#include <stdio.h>

static double scale(double x)
{
    static int ready;
    static double half, table[8];
    int i;
    if (!ready) {
        half = 0.5;
        for (i = 0; i < 8; i++)
            table[i] = i * half;
        ready = 1;
    }
    i = (int)x & 7;
    return half * table[i];
}

static int from_argument(int n)
{
    static int known, size;
    if (known == 0) {
        size = n;
        known = 1;
    }
    return size;
}

static int announced(void)
{
    static int said, value;
    if (!said) {
        value = 3;
        puts("first");
        said = 1;
    }
    return value;
}

static int counted(void)
{
    static int calls, start;
    if (calls == 0) {
        start = 5;
        calls = 1;
    }
    calls++;
    return start + calls;
}

/* A _Bool never is 2: the block is executed at each call. */
static int never_two(void)
{
    static _Bool seen;
    static int again;
    if (seen != 2) {
        again = again + 1;
        seen = 2;
    }
    return again;
}

static int told(void)
{
    static int old, base;
    int fresh = 0;
    if (!old) {
        base = 2;
        fresh = 1;
        old = 1;
    }
    return base + fresh;
}

static int shared_value, shared_done;
static int shared(void)
{
    if (!shared_done) {
        shared_value = 4;
        shared_done = 1;
    }
    return shared_value;
}

static int sometimes(int n)
{
    static int done, total;
    if (!done) {
        total += 2;
        if (n > 3)
            done = 1;
    }
    return total;
}

static int registered(void)
{
    static int set, part, other;
    if (set == 0) {
        part += 1;
        other = part;
        set = 1;
    }
#pragma cccp register(part)
    return part + other;
}

static int half_registered_set, half_registered_part, half_registered_other;
static int half_registered(void)
{
    if (half_registered_set == 0) {
        half_registered_part += 1;
        half_registered_other = half_registered_part;
        half_registered_set = 1;
    }
    return half_registered_part + half_registered_other;
}

static int before_guard(void)
{
    static int on, kept;
    int seen = kept;
    if (!on) {
        kept = 9;
        on = 1;
    }
    return seen;
}

/* The guard leaves the function, and others read what it has set behind a call of it. */
static int prepared;
static double prepared_table[8];
static void prepare(void)
{
    if (prepared)
        return;
    for (int i = 0; i < 8; i++)
        prepared_table[i] = i * 0.25;
    prepared = 1;
}

static double prepared_value(int x)
{
    prepare();
    return prepared_table[x & 7];
}

/* Somebody reads it without having called it. */
static int bare, bare_value;
static void set_bare(void)
{
    if (bare)
        return;
    bare_value = 4;
    bare = 1;
}

static int read_bare(int x)
{
    if (x > 3)
        set_bare();
    return bare_value;
}

/* The first call is told from the others. */
static int first_done, first_value;
static int first_call(void)
{
    if (first_done)
        return 0;
    first_value = 3;
    first_done = 1;
    return 1;
}

static int use_first(void)
{
    int first = first_call();
    return first_value + first;
}

/* One way does not set the flag. */
static int half_way, half_way_value;
static void go_half_way(int x)
{
    if (half_way)
        return;
    half_way_value += 2;
    if (x < 5)
        return;
    half_way = 1;
}

static int use_half_way(int x)
{
    go_half_way(x);
    return half_way_value;
}

int main(int argc, char **argv)
{
#pragma cccp init
    double sum = 0;
    int t;
#pragma cccp register(t, sum, half_registered_part)
    for (t = 0; t < 10; t++) {
        /* must: size missing, known missing, value missing, said missing, start missing, calls missing */
        /* must: base missing, old missing, shared_value missing, total missing, done missing */
        /* must: other missing, set missing, half_registered_other missing, half_registered_set missing */
        /* must: kept missing, on missing */
        /* must: bare missing, bare_value missing, first_done missing, first_value missing */
        /* must: again missing */
        /* must: half_way missing, half_way_value missing */
        /* should: ready held, half held, table held, prepared held, prepared_table held */
#pragma cccp checkpoint
        sum += scale(t) + from_argument(t) + announced() + counted() + told() + never_two() + shared() + shared_value;
        sum += sometimes(t) + registered() + half_registered() + before_guard();
        sum += prepared_value(t) + read_bare(t) + use_first() + use_half_way(t);
    }
    printf("%g\n", sum);
    return 0;
}
