/* What was printed before a checkpoint is not lost, although the stream is buffered; what was printed after it is
 * printed again. The driver compares the end of the output. */
#include <stdio.h>

int main(void)
{
#pragma cccp init
    int step;
#pragma cccp register(step)
    for (step = 0; step < 5; step++) {
        printf("before %d\n", step);
#pragma cccp checkpoint
        printf("after %d\n", step);
    }
#pragma cccp shutdown
    return 0;
}
