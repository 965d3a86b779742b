/* Across procedures: what callees read and overwrite, and the frames on the way. */
#include <stdio.h>
#include <stdlib.h>

static int global, other, third, counter;
static int table[3] = {1, 2, 3};

static void reset(void)
{
    global = 0;
}

static void maybe(int n)
{
    if (n)
        other = 0;
}

static int read_all(void)
{
    return global + other + third;
}

static void set(int *where)
{
    *where = 5;
}

static int get(const int *where)
{
    return *where;
}

static void stop(const char *why)
{
    puts(why);
    exit(1);
}

static int deepest(int depth)
{
    int own = depth * 2, scratch = 1;
    if (depth > 0) {
        /* must: own live, deeper:before live, main:n live, work:kept live, table live;
           should: scratch dead, work:lost dead, global dead, main:m dead */
        /* must: other live, third live, counter live, deeper:array live */
#pragma cccp checkpoint
        scratch = 3;
    }
    return own + scratch;
}

static int deeper(int depth)
{
    int before = depth, after;
    int array[2] = {1, depth};
    after = deepest(depth) + array[1];
    return before + after;
}

static int work(int n)
{
    int kept = n, lost = n, out, in = 3;
    counter++;
    lost = deeper(n);
    set(&out);
    if (n < 0)
        stop("negative");
    /* must: in live, kept live, main:n live; should: out dead, lost dead, global dead */
#pragma cccp checkpoint
    set(&out);
    reset();
    maybe(n);
    return kept + out + get(&in) + read_all() + table[n & 1];
}

int main(int argc, char **argv)
{
    int n = argc, m = argc * 2, result;
    printf("%d\n", m);
    third = m;
    result = work(n);
    printf("%d %d %d\n", result, n, counter);
    return 0;
}
