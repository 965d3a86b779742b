/* What a local was set to last. */
#include <stdlib.h>

static int x, y, z;
static int *kept, *given, *either, *looped, *taken, *whole, *after;

/* Frees a block and gives a null pointer back. */
static void *release(void *p)
{
    free(p);
    p = NULL;
    return p;
}

static int *last(int *p)
{
    int *q = p;
    q = &x;
    return q; /* must: q → x; q → y */
}

static int *branches(int way)
{
    int *q = &x;
    if (way)
        q = &y;
    return q;
}

static int *loop(int n)
{
    int *q = &x, *r = NULL;
    for (int i = 0; i < n; i++) {
        r = q;
        q = &y;
    }
    return r;
}

static int *address(void)
{
    int *q = &x;
    int **there = &q;
    *there = &y;
    return q;
}

static int *chosen(int way)
{
    int *q = &x;
    (void)(way && (q = &y));
    int *r = q;
    q = &z;
    return r;
}

int main(int argc, char **argv)
{
    int *block = malloc(40);
    (void)argv;
    whole = block;
    whole = release(block);
    after = release(&z); /* should: after ↛ heap@59[], z */
    kept = last(&y);       /* must: kept → x */ /* should: kept ↛ y */
    given = branches(argc);  /* must: given → x, y */
    looped = loop(argc);     /* must: looped → x, y */
    taken = address();       /* must: taken → x, y */
    either = chosen(argc);   /* must: either → x, y */
    return *kept + *given + *looped + *taken + *either;
}
