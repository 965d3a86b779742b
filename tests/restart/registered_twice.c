/* A variable of the program is registered twice. A block and a size between the two directives have what a restart has brought
 * back, and what is registered in each iteration once more leaves nothing behind.
 *
 * restarted at 1: block 6
 * restarted at 4: block 6
 */
#include <stdio.h>
#include <stdlib.h>

static int rows, columns, sum;
static int names[3];

static void read_sizes(const char *text)
{
    sscanf(text, "%d %d", &rows, &columns);
    names[0] = rows + columns;
}

int main(void)
{
#pragma cccp init
    read_sizes("3 2");
#pragma cccp register(rows, columns, names)
#pragma cccp execute on restart
    fprintf(stderr, "block %d\n", 120 / (rows * columns * names[0]) + 2);
#pragma cccp end execute
    int *table = calloc(rows * columns, sizeof *table);
    int i;
#pragma cccp register(table[rows * columns])
#pragma cccp register(rows, columns, names)
    for (i = 0; i < 6; i++) {
#pragma cccp register(i, sum, rows)
#pragma cccp checkpoint
        names[1] += i == 2;
        table[i] += rows + names[1];
        sum += table[i];
    }
    printf("%d %d\n", sum, names[1]);
    free(table);
#pragma cccp shutdown
    return 0;
}
