/* Every activation has its own locals. */
#include <stdio.h>
#include <string.h>

static int best, rows[8];

static int search(int row, int n, int *found)
{
    int column, tried = 0, here;
    if (row == n) {
        /* must: search:column live, search:row live, search:tried live, best live, rows live, found live */
        /* should: search:here dead, column dead, tried dead */
#pragma cccp checkpoint
        best++;
        *found = 1;
        return 1;
    }
    for (column = 0; column < n; column++) {
        here = column * 2;
        rows[row] = here;
        tried += search(row + 1, n, found);
    }
    return tried;
}

static int even(int n);

static int odd(int n)
{
    int mine = n;
    return n == 0 ? 0 : even(n - 1) + mine;
}

static int even(int n)
{
    int yours = n, lost = n;
    if (n == 0) {
        /* must: odd:mine live, even:yours live; should: even:lost dead */
#pragma cccp checkpoint
        return 1;
    }
    lost = odd(n - 1);
    return yours + lost;
}

/* A local that others reach, in more than one activation. */
static int chain(int n, int *below)
{
    int own = n;
    if (n == 0) {
        /* must: chain:own live */
#pragma cccp checkpoint
        return *below;
    }
    return chain(n - 1, &own);
}

int main(int argc, char **argv)
{
    int found = 0;
    printf("%d", search(0, argc, &found));
    printf("%d %d %d %d %d\n", rows[1], best, found, even(argc), chain(argc, &found));
    return 0;
}
