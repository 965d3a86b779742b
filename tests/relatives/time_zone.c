/* The date is printed before and after the time loop, by a file that the loop never comes to. */
#include <stdio.h>
void date(long seconds);
int main(void)
{
    double u[8] = { 1 }, sum = 0;
    date(86400);
    for (int step = 0; step < 24; step++) {
        for (int k = 0; k < 8; k++) u[k] += 0.5 * u[(k + 1) % 8] + step;
        for (int k = 0; k < 8; k++) sum += u[k];
    }
    printf("%g\n", sum);
    date(400000);
    return 0;
}
