/* A block that stands after the checkpoint in the text but ran before it in time runs on restart too, and what it
 * computes does not overwrite the values of the checkpoint.
 *
 * restarted at 1: nothing
 * restarted at 3: later 1 1
 * restarted at 5: later 3 3
 */
#include <stdio.h>
#include <stdlib.h>

static int answer(int x)
{
    return 100 * x;
}

int main(void)
{
#pragma cccp init
    int step, value = 0, handle;
    double *extra = NULL;
#pragma cccp register(step, value, extra)

    for (step = 0; step < 6; step++) {
#pragma cccp checkpoint
        value += step;
        if (extra != NULL)
            extra[0] += handle;
        if (step == 0) {
            extra = calloc(4, sizeof *extra);
#pragma cccp register(extra[4])
        }
#pragma cccp execute on restart
        handle = answer(step);
        fprintf(stderr, "later %d %d\n", step, handle / 100);
#pragma cccp end execute
    }
    printf("%d %d %.17g\n", value, handle, extra[0]);
    free(extra);
#pragma cccp shutdown
    return 0;
}
