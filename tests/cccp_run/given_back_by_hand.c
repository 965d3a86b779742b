/* Registered by hand: variables, a local, and memory that is given back before the end, the large one to the system. */
#include <cccp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double total[4];

struct series {
    double *at;
    long length;
};

static void give_back(struct series *one)
{
    memset(one->at, 0x5a, one->length * sizeof *one->at);
    free(one->at);
    one->at = NULL;
}

int main(int count, char **words)
{
    struct series large = {NULL, 1 << 20}, small = {NULL, 24};
    int step = 0, begun = 0;
    large.at = calloc(large.length, sizeof *large.at);
    small.at = calloc(small.length, sizeof *small.at);
    CCCP_Init(&count, &words);
    CCCP_Register(&step, 1, CCCP_INT, "step");
    CCCP_Register(total, 4, CCCP_DOUBLE, "total");
    CCCP_Register(large.at, large.length, CCCP_DOUBLE, "large");
    CCCP_Register(small.at, small.length, CCCP_DOUBLE, "small");
    if (CCCP_Jump_next() == 1)
        begun = 1;
    for (step = begun ? step : 0; step < 9; step++) {
        CCCP_Do_checkpoint(1);
        large.at[step * 1000] += step;
        small.at[step] += large.at[0] + step;
        total[step % 4] += small.at[step] + large.at[step * 1000];
    }
    printf("%g %g\n", total[0], total[3]);
    give_back(&large);
    give_back(&small);
    CCCP_Shutdown();
    return 0;
}
