/* A block that is left where a file is missing. */
#include <stdio.h>

static double sum;

static int probe(const char *name)
{
    FILE *file;
#pragma cccp execute on restart
    file = fopen(name, "r");
    if (file == NULL)
        return -1;
    fclose(file);
    file = NULL;
#pragma cccp end execute
    return 1;
}

int main(void)
{
#pragma cccp init
    int found = probe("probe.txt");
#pragma cccp register(sum, found)
    for (int i = 0; i < 9; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint
        sum += found / (i + 1.0);
    }
    printf("%d %.17g\n", found, sum);
    return 0;
}
