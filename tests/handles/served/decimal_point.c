/* A pointer out of a struct of the C library is asked for again. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *point = localeconv()->decimal_point;
    double sum = 0;
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < 1000; i++)
            sum = sum * 0.5 + i + step;
        sum += strlen(point) + point[0];
    }
    printf("%s %.17g\n", point, sum);
    return 0;
}
