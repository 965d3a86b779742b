/* refused: a restart does not restore what `strtok` remembers | use `strtok_r` */
#include <stdio.h>
#include <string.h>

static char text[] = "one two three four five six seven eight nine ten eleven twelve";

static char *next(char **rest)
{
#ifdef CURED
    return strtok_r(NULL, " ", rest);
#else
    return strtok(NULL, " ");
#endif
}

int main(void)
{
    int step, length;
    long sum = 0;
    char *rest = NULL;
#pragma cccp init
#pragma cccp register(step, sum, text, rest)
#ifdef CURED
    strtok_r(text, " ", &rest);
#else
    strtok(text, " ");
#endif
    for (step = 0; step < 11; step++) {
#pragma cccp checkpoint
        char *word = next(&rest);
        length = word ? (int)strlen(word) : -1;
        sum = sum * 3 + length;
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
