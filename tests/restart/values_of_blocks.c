/* Blocks run again with the values that the locals they read had, and calls with the arguments they had, although they
 * have changed since, and whether they are registered or not.
 *
 * restarted at 1: block 5 1.5, block 6 3
 * restarted at 3: block 5 1.5, block 6 3, block 3 8
 */
#include <stdio.h>

static int total;

static void work(int n, double weight, const char *name)
{
#pragma cccp execute on restart
    fprintf(stderr, "block %d %g\n", n, weight);
#pragma cccp end execute
    int i;
    n *= 100;
#pragma cccp register(n, i, total)
    for (i = 0; i < 2; i++) {
        if (total >= 0 && weight > 2.0) {
#pragma cccp checkpoint
        }
        total += n + (int)(10.0 * weight) + name[0];
    }
}

int main(void)
{
#pragma cccp init
    int n = 5;
    double weight = 1.5;
#pragma cccp register(total, n, weight)
    work(n++, weight, "first");
    weight *= 2.0;
    work(n++, weight, "second");
    weight = 8.0;
    work(3, weight, "third");
    printf("%d\n", total);
#pragma cccp shutdown
    return 0;
}
