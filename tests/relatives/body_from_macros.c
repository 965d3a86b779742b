/* All statements of the loop that does the work come from a list of macros: the checkpoint stands behind the brace that is the
   user's own. */
#include <math.h>
#include <stdio.h>

#define FIELDS X(rho) X(u) X(v)
#define X(name) static double name[16];
FIELDS
#undef X

static void set_up(void)
{
#define X(name) for (int i = 0; i < 16; i++) name[i] = i * 0.5;
    FIELDS
#undef X
}

int main(void)
{
    double sum = 0;
    set_up();
    for (int step = 0; step < 40; step++) {
#define X(name) for (int i = 1; i < 16; i++) { name[i] = name[i] * 0.99 + name[i - 1] * 0.01; sum += sin(name[i] + step); }
        FIELDS
#undef X
    }
#define X(name) printf("%.17g\n", name[15]);
    FIELDS
#undef X
    printf("%.17g\n", sum);
    return 0;
}
