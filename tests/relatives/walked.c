/* Pointers into memory of the C library that move on in each pass: a block that steps on does so once for each of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double work(int step)
{
    double sum = 0;
    for (int i = 0; i < 4000; i++)
        sum += sin(i + step);
    return sum;
}

int main(void)
{
    double total = 0;
    setenv("LETTERS", "a winding road", 1);
    setenv("DIGITS", "31415926535897932384626433832795", 1);
    char *letter = getenv("LETTERS");
    const char *digit = getenv("DIGITS");
    int steps = 0;
    while (*letter) {
        total += work(*letter);
        total += *digit;
        if (steps++ % 3 != 1)
            digit += 2;
        if (*letter == ' ')
            total *= 0.5;
        letter++;
    }
    printf("%.17g %d %s\n", total, steps, digit);
    return 0;
}
