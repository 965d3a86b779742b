/* The library called by hand, by a program that is changed in the middle of a run. Each macro is one change. */
#include <stdio.h>

#include "cccp.h"

#ifndef LENGTH
#define LENGTH 4
#endif
#ifndef COUNT
#define COUNT long
#define CCCP_COUNT CCCP_LONG
#endif

int main(int argc, char **argv)
{
    long step = 0, extra = 0;
    COUNT count = 0;
    double line[LENGTH] = {0};

    if (CCCP_Init(&argc, &argv) != CCCP_OK)
        return 1;
    CCCP_Register(&step, 1, CCCP_LONG, "step");
#ifndef REMOVED
    CCCP_Register(&count, 1, CCCP_COUNT, "count");
#endif
    CCCP_Register(line, LENGTH, CCCP_DOUBLE, "line");
#ifdef ADDED
    CCCP_Register(&extra, 1, CCCP_LONG, "extra");
#endif
    if (CCCP_Jump_next())
        goto resume;
    for (step = 0; step < 10; step++) {
    resume:
        CCCP_Do_checkpoint(1);
        count++;
        extra++;
        for (int i = 0; i < LENGTH; i++)
            line[i] += i + 1;
    }
    printf("step %ld count %ld extra %ld line", step, (long)count, extra);
    for (int i = 0; i < LENGTH; i++)
        printf(" %.0f", line[i]);
    printf("\n");
    CCCP_Shutdown();
    return 0;
}
