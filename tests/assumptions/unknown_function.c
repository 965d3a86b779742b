// hand warns CCCP301 `advance` is neither in the files given nor in the catalogue
// assumes `advance`, which is in no file given, keeps nothing of its own that a restart would need
#include <stdio.h>
void advance(double *u, int n);
int main(void)
{
    double u[4] = {1, 2, 3, 4};
    int i;
#pragma cccp init
    for (i = 0; i < 20; i++) {
#pragma cccp register(u, i)
#pragma cccp checkpoint
        advance(u, 4);
    }
    printf("%g\n", u[0]);
#pragma cccp shutdown
    return 0;
}
