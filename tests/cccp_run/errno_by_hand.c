/* What `errno` holds at a checkpoint of the C interface comes back with it; and a checkpoint that is taken leaves it alone. */
#include <errno.h>
#include <stdio.h>

#include "cccp.h"

int main(int argc, char **argv)
{
    long step = 0, sum = 0;

    if (CCCP_Init(&argc, &argv) != CCCP_OK)
        return 1;
    CCCP_Register(&step, 1, CCCP_LONG, "step");
    CCCP_Register(&sum, 1, CCCP_LONG, "sum");
    if (CCCP_Jump_next() == 1)
        goto here;
    for (step = 0; step < 9; step++) {
        errno = step % 3 == 2 ? 0 : 100 + (int)step;
    here:
        CCCP_Do_checkpoint(1);
        sum = sum * 3 + errno;
    }
    printf("%ld\n", sum);
    CCCP_Shutdown();
    return 0;
}
