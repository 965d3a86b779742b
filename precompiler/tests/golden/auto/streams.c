/* An array of streams is registered as it is: they come back open. */
#include <math.h>
#include <stdio.h>

static void report(FILE **streams, int count, double x)
{
    for (int i = 0; i < count; i++)
        fprintf(streams[i], "%.6f\n", x);
}

int main(void)
{
    FILE *streams[2] = {NULL, NULL};
    int count = 0;
    double x = 1;

    streams[count++] = stdout;
    FILE *log = fopen("log.txt", "w");
    if (log != NULL)
        streams[count++] = log;
    for (int i = 0; i < 50; i++) { /* before: register(streams, count, x) checkpoint */
        for (int k = 0; k < 1000; k++)
            x = x + sin(x * k) * 1e-3;
        report(streams, count, x);
    }
    if (log != NULL)
        fclose(log);
    return 0;
}
