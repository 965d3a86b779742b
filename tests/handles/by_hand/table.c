/* refused: a restart does not restore tables of `hsearch` and the like | it is set before the checkpoint and read after it */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

static long values[] = {5, 6, 7, 8};
static const char *const words[] = {"one", "two", "three", "four"};

static void fill(void)
{
    if (!hcreate(10))
        exit(1);
    for (long word = 0; word < 4; word++)
        if (!hsearch((ENTRY){(char *)words[word], &values[word]}, ENTER))
            exit(1);
}

int main(void)
{
    int step;
    long sum = 0;
#pragma cccp init
#pragma cccp register(step, sum)
#ifdef CURED
#pragma cccp execute on restart
    fill();
#pragma cccp end execute
#else
    fill();
#endif
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint
        ENTRY *one = hsearch((ENTRY){(char *)words[step % 4], NULL}, FIND);
        sum = sum * 3 + (one ? *(long *)one->data : -1);
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
