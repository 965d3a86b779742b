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
        /* should: ready held, half held, table held */
#pragma cccp checkpoint
        sum += scale(t) + from_argument(t) + announced() + counted() + told() + shared() + shared_value;
        sum += sometimes(t) + registered() + half_registered() + before_guard();
    }
    printf("%g\n", sum);
    return 0;
}
