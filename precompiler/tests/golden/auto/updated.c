/* A stream that is read and overwritten in place: a restart gives it back what was in it, nothing has to be said. */
#include <stdio.h>

int main(void)
{
    FILE *counts = fopen("counts.bin", "r+b");
    long sum = 0;
    if (counts == NULL)
        return 1;
    for (int step = 0; step < 1000; step++) { /* before: register(counts, sum, step) checkpoint */
        long one;
        fseek(counts, 8L * (step % 7), SEEK_SET);
        if (fread(&one, sizeof one, 1, counts) != 1)
            return 1;
        one += step;
        sum += one;
        fseek(counts, 8L * (step % 7), SEEK_SET);
        fwrite(&one, sizeof one, 1, counts);
    }
    printf("%ld\n", sum);
    fclose(counts);
    return 0;
}
