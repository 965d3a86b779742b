/* The library of unknown_library.c. */
#include <stdio.h>
#include "unknown_library_part.h"

static int status;
static const double rows[2] = {0.5, 0.25};
int *gadget_status = &status;
double gadget_scale = 2;
struct gadget gadget_default = {3, rows};

void gadget_draw(const char *title, double *values, int n)
{
    fprintf(stderr, "%s\n", title);
    for (int i = 0; i < n; i++)
        values[i] *= 0.5;
}
