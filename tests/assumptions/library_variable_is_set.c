// auto resumes 3 17
/* A variable of a library that the program sets. */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    double sum = 0;
    for (int step = 0; step < 20; step++) {
        sum += optind * step;
        optind = optind % 7 + 1;
    }
    printf("%.17g\n", sum);
    return 0;
}
