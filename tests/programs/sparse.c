/* Large arrays of which the program touches a few pages: static ones, of numbers and of structs, and one on the heap. The last line
 * on stderr is the most memory that the process had, in kilobytes. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define MANY (1 << 22)

static double grid[MANY];
static struct cell {
    int kind;
    double value;
    char name[8];
} cells[MANY / 4];

int main(void)
{
    double *far = calloc(MANY / 2, sizeof *far);
    struct rusage used;
    double sum = 0;
    if (!far)
        return 1;
#pragma cccp init
#pragma cccp register(grid, cells, far[MANY / 2], sum)
    for (int step = 0; step < 4; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
        grid[step * 1000] += step;
        grid[MANY - 1 - step] = 1.0 / (step + 1);
        cells[step * 100].value += 2.5 * step;
        cells[step * 100].kind++;
        far[step << 6] += step * 0.1;
        sum += grid[step * 500] + cells[step * 50].value + far[step << 5];
        printf("%d %.17g\n", step, sum);
    }
    for (int k = 0; k < MANY; k++)
        sum += grid[k] + cells[k / 4].value + far[k / 2];
    printf("%.17g\n", sum);
    getrusage(RUSAGE_SELF, &used);
    fprintf(stderr, "most memory: %ld\n", used.ru_maxrss);
    free(far);
#pragma cccp shutdown
    return 0;
}
