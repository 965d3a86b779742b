/* The threads share the iterations of the loop that does the work: no checkpoint can be taken in it where an inner part is in order, and that is said. */
/* refused: this one does nearly all of the work | it is inside an OpenMP region | do it in parts */
#include <math.h>
#include <stdio.h>

int main(void)
{
    double sum = 0;
#pragma omp parallel for ordered reduction(+ : sum)
    for (int i = 0; i < 1000000; i++)
        for (int k = 1; k < 100; k++)
            sum += sin(i) / k;
    printf("%g\n", sum);
    return 0;
}
