/* Two fields that need each other, and a file of what they were. With FORGET one of them is not registered. */
#include <stdio.h>
#include <stdlib.h>

struct field {
    double *value;
    int count;
};

static struct field make(int count)
{
    struct field made = {malloc(count * sizeof(double)), count};
    for (int i = 0; i < count; i++)
        made.value[i] = i * 0.25;
    return made;
}

int main(void)
{
#pragma cccp init
    struct field a = make(20), b = make(20);
    int step;
    double rate = 1.0;
    FILE *out = fopen("trace.txt", "w");
#pragma cccp register(a.count, a.value[a.count], b.count, b.value[b.count], step, out)
#ifndef FORGET
#pragma cccp register(rate)
#endif
    for (step = 0; step < 9; step++) {
#pragma cccp checkpoint
        rate = rate * 0.5 + 0.25;
        for (int i = 0; i < a.count; i++)
            a.value[i] = rate * a.value[i] + b.value[a.count - 1 - i];
        for (int i = 0; i < b.count; i++)
            b.value[i] = 0.5 * (a.value[i] - b.value[i]);
        fprintf(out, "%d %.17g\n", step, a.value[3]);
    }
    fclose(out);
    printf("%.17g %.17g\n", a.value[7], b.value[7]);
#pragma cccp shutdown
    return 0;
}
