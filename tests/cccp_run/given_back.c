/* Numbers from the standard input go into a field, which is freed before the run ends, and so is the file. Checkpoints could be
   taken very often, and a log says when the run was. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void finish(void)
{
#pragma cccp shutdown
}

int main(void)
{
#pragma cccp init
    const int n = 20000;
    int step = 0, read = 0;
    double *field = calloc(n, sizeof *field), sum = 0, number = 0;
    FILE *out = fopen("sums.txt", "w"), *log;
    if (field == NULL || out == NULL)
        return 1;
#pragma cccp register(step, read, sum, number, field[n], out, stdin)
    for (;;) {
#pragma cccp checkpoint
        if (scanf("%lf", &number) != 1)
            break;
        read++;
        for (int round = 0; round < 100; round++, step++)
            field[step % n] += number * round;
        sum += field[7];
        fprintf(out, "%.17g\n", sum);
    }
    fclose(out);
    free(field);
    log = fopen("log.txt", "w");
    if (log != NULL) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        fprintf(log, "%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
        fclose(log);
    }
    printf("%d %.17g\n", read, sum);
    finish();
    return 0;
}
