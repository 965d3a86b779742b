/* refused: what `popen` opens | a stream without a file begins here, and is used after a checkpoint */
#include <stdio.h>

static FILE *source(const char *command)
{
    return popen(command, "r");
}

int main(void)
{
    FILE *from = source("seq 1 1000");
    long sum = 0;
    for (int step = 0; step < 20; step++)
        for (int i = 0; i < 20; i++) {
            int number;
            if (fscanf(from, "%d", &number) == 1)
                sum += number;
        }
    pclose(from);
    printf("%ld\n", sum);
    return 0;
}
