/* refused: what `strerror` and the like gave back */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *message = strerror(argc);
    double sum = 0;
    for (int step = 0; step < 20; step++) {
        for (int k = 0; k < 1000; k++)
            sum += step * k;
        if (sum < 0)
            printf("%s: %s\n", argv[0], strerror(3));
    }
    printf("%s %g\n", message, sum);
    return 0;
}
