// auto resumes 3 17
// beside unknown_names_part.c
/* A function in a file that is not given, which changes variables of the program by their names. */
#include <stdio.h>
#include <stdlib.h>

void advance(const char *what);

double *values;
long calls;

int main(void)
{
    values = malloc(10 * sizeof *values);
    if (!values)
        return 1;
    for (int i = 0; i < 10; i++)
        values[i] = i;
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < 10; i++)
            values[i] += 0.5 * values[(i + 1) % 10];
        advance("step");
    }
    printf("%.17g %ld\n", values[3], calls);
    return 0;
}
