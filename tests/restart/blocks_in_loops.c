/* Which blocks run on restart: those of a finished loop once per iteration, those around the checkpoint for the
 * latest iteration only, none of a branch that was not taken.
 * One in a branch of an earlier iteration was not superseded: nothing ran in its place. The blocks tell on standard
 * error.
 *
 * restarted at 1: done 0, done 1, done 2, first 0, outer 0, inner 0.0
 * restarted at 2: done 0, done 1, done 2, first 0, outer 0, inner 0.1
 * restarted at 3: done 0, done 1, done 2, first 0, outer 0, inner 0.2
 * restarted at 4: done 0, done 1, done 2, first 0, outer 1, inner 1.0
 * restarted at 8: done 0, done 1, done 2, first 0, third 2, outer 2, inner 2.1
 */
#include <stdio.h>

int main(void)
{
#pragma cccp init
    int i, j, sum = 0;
#pragma cccp register(i, j, sum)

    for (i = 0; i < 3; i++) {
#pragma cccp execute on restart
        fprintf(stderr, "done %d\n", i);
#pragma cccp end execute
    }
    if (sum > 0) {
#pragma cccp execute on restart
        fprintf(stderr, "never\n");
#pragma cccp end execute
    }
    for (i = 0; i < 3; i++) {
        if (i == 2) {
#pragma cccp execute on restart
            fprintf(stderr, "third %d\n", i);
#pragma cccp end execute
        } else if (i == 0) {
#pragma cccp execute on restart
            fprintf(stderr, "first %d\n", i);
#pragma cccp end execute
        }
#pragma cccp execute on restart
        fprintf(stderr, "outer %d\n", i);
#pragma cccp end execute
        for (j = 0; j < 3; j++) {
#pragma cccp execute on restart
            fprintf(stderr, "inner %d.%d\n", i, j);
#pragma cccp end execute
#pragma cccp checkpoint
            sum = sum * 3 + i + j;
        }
    }
    printf("%d\n", sum);
#pragma cccp shutdown
    return 0;
}
