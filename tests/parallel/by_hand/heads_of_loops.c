/* Variables of heads of loops, with addresses of their own, are registered in the loops, and end with them. */
#include <stdio.h>
#include <omp.h>
long out[4];
static void bump(int *i) { 
#pragma omp atomic
out[0] += *i; }
int main(void)
{
#pragma cccp init
#pragma cccp register(out)
    int total = 0;
#pragma cccp register(total)
    for (total = 0; total < 9; total++)
    for (int i = 0; i < 4; i++) {
#pragma cccp register(i)
        bump(&i);
#pragma cccp checkpoint
        out[1] += i;
        if (i == 2 && total == 6) goto behind;
        if (i == 3) break;
    }
behind:
#pragma omp parallel num_threads(2)
    for (int j = 7; j < 12; j++) {
#pragma cccp register(j)
        bump(&j);
#pragma cccp checkpoint
#pragma omp atomic
        out[2] += j;
    }
    if (total)
        for (int n[2] = {0, 1}; n[0] < 3; n[0]++) {
#pragma cccp register(n)
#pragma cccp checkpoint
            out[3] += n[0] + n[1];
        }
    else
        out[3] = 5;
    printf("%ld %ld %ld %ld\n", out[0], out[1], out[2], out[3]);
#pragma cccp shutdown
    return 0;
}
