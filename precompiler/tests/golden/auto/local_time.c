/* What `ctime` reads of the time zone it sets first: nothing of that has to come back. */
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>
#include <time.h>

static void tell(double sum)
{
    time_t now = time(NULL);

    fprintf(stderr, "%s: %g\n", ctime(&now), sum);
}

int main(void)
{
    double sum = 0;

    for (int i = 0; i < 1000; i++) { /* before: register(sum) checkpoint */
        for (int k = 1; k < 1000; k++)
            sum += sin(i) / k;
        tell(sum);
    }
    return 0;
}
