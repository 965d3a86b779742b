#include <stddef.h>

#include "accelerator.h"

struct accelerator *accelerator_make(int n)
{
    (void)n;
    return NULL;
}

void accelerator_step(struct accelerator *accelerator, double *x)
{
    (void)accelerator;
    (void)x;
}
