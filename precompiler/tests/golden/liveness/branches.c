/* Branches, loops, switch, goto: dead is only what is overwritten on every way. */
#include <stdio.h>

static int pick(int argc)
{
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i;
    /* must: a live, b live, d live, f live, h live, argc live; should: c dead, e dead, g dead, i dead */
#pragma cccp checkpoint
    if (argc > 1)
        a = 0;
    c = 9;
    switch (argc) {
    case 1:
        b = 1; /* falls through */
    case 2:
        d++;
        e = 1;
        break;
    default:
        e = 2;
        b = 3;
        d = 1;
    }
    for (i = 0; i < argc; i++)
        f += i;
    while (argc--)
        g = 1;
    if (a)
        goto out;
    h = 2;
out:
    g = 3;
    return a + b + c + d + e + f + g + h;
}

static int around(int n)
{
    int sum = 0, last = 0, next, step;
    for (step = 0; step < n; step++) {
        /* must: sum live, last live, step live, n live; should: next dead */
#pragma cccp checkpoint
        next = last + 1;
        sum += next;
        last = sum;
    }
    return sum;
}

static int ended(int n)
{
    int before = 1, x = 3;
    do {
        if (n == 2)
            continue;
        before = n;
    } while (--n > 0);
    /* must: x live; should: n dead, before dead */
#pragma cccp checkpoint
    return x;
}

int main(int argc, char **argv)
{
    printf("%d %d %d\n", pick(argc), around(argc), ended(argc));
    return 0;
}
