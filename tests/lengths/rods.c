#include <stdlib.h>

double *rod(long n)
{
    return calloc(n, sizeof(double));
}

void *grown(void *block, long bytes)
{
    return realloc(block, bytes);
}
