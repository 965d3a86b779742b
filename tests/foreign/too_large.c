/* Values that another machine may not be able to hold. The argument says which one is large. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    char c;
    long count;
};

int main(int argc, char **argv)
{
#pragma cccp init
    /* Where a long has 32 bits this is 0, and nothing is large. */
    const long huge = (long)(1ull << 40);
    struct row rows[3];
    long counter = -5;
    size_t length = 9;
    long double third = 0.25L;
    int step;

    memset(rows, 0, sizeof rows);
    if (argc > 1 && strcmp(argv[1], "member") == 0)
        rows[1].count = huge;
    if (argc > 1 && strcmp(argv[1], "negative") == 0)
        counter = -huge;
    if (argc > 1 && strcmp(argv[1], "size") == 0)
        length = (size_t)5000000000ull;
    if (argc > 1 && strcmp(argv[1], "third") == 0)
        third = 1.0L / 3.0L;
#pragma cccp register(step, rows, counter, length, third)
    for (step = 0; step < 3; step++) {
#pragma cccp checkpoint
        counter -= step;
    }
    printf("%ld %ld %llu %.15Lg\n", rows[1].count, counter, (unsigned long long)length, third);
#pragma cccp shutdown
    return 0;
}
