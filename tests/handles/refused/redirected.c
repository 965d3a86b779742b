/* refused: what `freopen` redirects | prog > file */
#include <stdio.h>

int main(void)
{
    double x = 1;
    for (int i = 0; i < 12; i++) {
        if (i == 0 && !freopen("o.txt", "w", stdout))
            return 1;
        x = x * 1.5 + i;
        printf("%g\n", x);
    }
    return 0;
}
