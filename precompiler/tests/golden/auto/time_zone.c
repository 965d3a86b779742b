/* A program that looks at the time zone itself may do so before anybody has set it again. */
/* refused: what `tzname[]` points to | may point into memory of a library */
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdio.h>
#include <time.h>

int main(void)
{
    double sum = 0;

    tzset();
    for (int i = 0; i < 1000; i++) {
        for (int k = 1; k < 1000; k++)
            sum += sin(i) / k;
        fprintf(stderr, "%s: %g\n", tzname[0], sum);
    }
    return 0;
}
