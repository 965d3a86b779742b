// auto refuses CCCP403 cannot restore what `table` points to
/* A function that nobody knows gives a pointer into its own memory. */
#include <stdio.h>

double *table_of(int n);
void table_into(double **table);

int main(void)
{
    double *table = table_of(3), sum = 0;
    for (int step = 0; step < 20; step++)
        sum += table[step % 4] * step;
    printf("%.17g\n", sum);
    return 0;
}
