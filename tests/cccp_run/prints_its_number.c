/* What it prints is another number in each process; what it writes to a file is not, unless it computes with that number. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    double sum = 1;
    int step;
#pragma cccp init
    printf("process %ld\n", (long)getpid());
#ifdef SEED
    sum += getpid();
#endif
#pragma cccp register(sum)
    for (step = 0; step < 20; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint every(1)
        sum = 0.5 * sum + step;
    }
    FILE *out = fopen("sum.txt", "w");
    if (out == NULL)
        return 1;
    fprintf(out, "%.17g\n", sum);
    fclose(out);
#pragma cccp shutdown
    return 0;
}
