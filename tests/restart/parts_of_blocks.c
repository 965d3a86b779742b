/* Blocks set parts of objects that are registered: what is registered has its value of the checkpoint, the other parts
 * what the blocks made of them.
 *
 * restarted at 2: block
 * restarted at 5: block
 */
#include <stdio.h>

struct state {
    int made;
    int lines;
    double sum;
};

static int make(int number)
{
    return number * 11;
}

int main(void)
{
#pragma cccp init
    int step;
    struct state whole = {0, 0, 0.0}, part = {0, 0, 0.0};
    volatile int visible = 1;
#pragma cccp register(step, whole, part.lines, part.sum, visible)
#pragma cccp execute on restart
    fprintf(stderr, "block\n");
    whole.made = make(1);
    part.made = make(2);
    visible = make(3);
#pragma cccp end execute
    for (step = 0; step < 6; step++) {
#pragma cccp checkpoint
        whole.lines++;
        part.lines += 2;
        part.sum += part.made;
        whole.sum += whole.made + visible;
        visible = visible + 1;
        printf("%d %d %g %d %d %g %d\n", whole.made, whole.lines, whole.sum, part.made, part.lines, part.sum, visible);
    }
#pragma cccp shutdown
    return 0;
}
