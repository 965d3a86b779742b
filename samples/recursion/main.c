/* Queens on a chess board: in how many ways can N queens stand without attacking each other? The search
 * is recursive, and so is the way back into it after a restart.
 *
 *     recursion [N [ROWS]]
 *
 * The upper ROWS rows are searched by `place`, which contains a checkpoint; each of its activations
 * registers its own `column` and `found`. What lies below is counted by a plain function at full speed.
 */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 20 };

static int queen[MOST]; /* the column of the queen in each row */
static unsigned long visited;

static int attacked(int row, int column)
{
    for (int other = 0; other < row; other++) {
        int distance = column - queen[other];
        if (distance == 0 || distance == row - other || distance == other - row)
            return 1;
    }
    return 0;
}

/* The number of ways to fill the free columns, without checkpoints. */
static long count(unsigned free_columns, unsigned left, unsigned right)
{
    long ways = 0;

    if (free_columns == 0)
        return 1;
    for (unsigned places = free_columns & ~(left | right); places != 0; places &= places - 1) {
        unsigned bit = places & -places;
        ways += count(free_columns & ~bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return ways;
}

/* The same for the board as it stands after `row` rows. */
static long count_below(int n, int row)
{
    unsigned free_columns = (1u << n) - 1, left = 0, right = 0;

    for (int r = 0; r < row; r++) {
        unsigned bit = 1u << queen[r];
        free_columns &= ~bit;
        left = (left | bit) << 1;
        right = (right | bit) >> 1;
    }
    return count(free_columns, left, right);
}

static long place(int n, int rows, int row)
{
    long found = 0;
    int column;

    if (row == rows) {
#pragma cccp checkpoint every(500)
        visited++;
        return count_below(n, row);
    }
#pragma cccp register(found, column)
    for (column = 0; column < n; column++) {
        if (attacked(row, column))
            continue;
        queen[row] = column;
        found += place(n, rows, row + 1);
    }
    return found;
}

int main(int argc, char **argv)
{
#pragma cccp init

    int n = argc > 1 ? atoi(argv[1]) : 15;
    int rows = argc > 2 ? atoi(argv[2]) : 4;

    if (n < 1 || n > MOST || rows < 0 || rows > n) {
        fprintf(stderr, "a board has 1 to %d rows\n", MOST);
        return 1;
    }
#pragma cccp register(n, rows, queen, visited)

    long found = place(n, rows, 0);
    printf("queens %d ways %ld visited %lu first %d\n", n, found, visited, queen[0]);

#pragma cccp shutdown
    return 0;
}
