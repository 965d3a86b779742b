/* Local pointers whose address is taken are on the stack themselves: a restart finds there what was left by others. */
#include <stdlib.h>

struct fields {
    double *u;
    int n;
};

static void make(double **block, int n)
{
    *block = calloc(n, sizeof **block);
}

static double step_all(double *handed, int n, int steps)
{
    double *made, *again, sum = 0;
    struct fields fields;
    make(&made, n);
    make(&again, n);
    make(&fields.u, n);
#pragma cccp register(sum, made[n], again[n], fields.u[n], handed[n])
    for (int step = 0; step < steps; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
        for (int i = 0; i < n; i++)
            sum += made[i]++ + again[i]-- + fields.u[i] * handed[i];
    }
    free(made);
    free(again);
    free(fields.u);
    return sum;
}

int main(void)
{
    double *early, *late, sum = 0;
    make(&early, 10);
#pragma cccp init
    make(&late, 10);
    sum = step_all(early, 10, 5);
#pragma cccp register(sum, early[10], late[10])
    for (int step = 0; step < 5; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
        sum += early[step] + late[step]++;
    }
#pragma cccp shutdown
    return sum > 0;
}
