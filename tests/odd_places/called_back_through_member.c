/* A method of a struct is a function with marks or one of the C library that calls back.
   told: wanted ( */
#include <stdio.h>
#include <stdlib.h>

typedef int order(const void *, const void *);
typedef void *finder(const void *, const void *, size_t, size_t, order *);

struct method {
    finder *find;
    const char *name;
};

static int v[16], looks, step, x, y;

static int wanted(const void *a, const void *b)
{
    looks++;
    x = *(const int *)a;
    y = *(const int *)b;
#pragma cccp checkpoint
    return x - y;
}

static void *in_turn(const void *key, const void *base, size_t n, size_t size, order *compare)
{
    size_t i;
    (void)size;
#pragma cccp register(i, key, base, n, compare)
    for (i = 0; i < n; i++) {
        int c = compare(key, (const int *)base + i);
        if (c == 0)
            return (int *)base + i;
    }
    return 0;
}

static struct method methods[2] = {{bsearch, "halves"}, {in_turn, "in turn"}};

int main(void)
{
#pragma cccp init
    static int key, *found;
    for (int i = 0; i < 16; i++)
        v[i] = 3 * i;
#pragma cccp register(v, looks, step, x, y, key, found)
    for (step = 0; step < 12; step++) {
        found = 0;
        key = 3 * (step * 5 % 16);
        found = methods[step % 2].find(&key, v, 16, sizeof v[0], wanted);
        printf("%d %d %d\n", step, found ? *found : -1, looks);
        found = in_turn(&key, v, 4, sizeof v[0], wanted);
        printf("%d %d\n", found ? *found : -1, looks);
    }
#pragma cccp shutdown
    return 0;
}
