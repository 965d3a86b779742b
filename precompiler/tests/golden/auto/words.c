/* What `strtok` gives back lies in the string that it was handed, not in the library: pointers there come back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char words[] = "alpha beta,gamma delta,epsilon";

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 60, picks = 0;
    double sum = 0;
    char *pick[8];
    for (char *word = strtok(words, " ,"); word; word = strtok(NULL, " ,"))
        pick[picks++] = word;
    for (int round = 0; round < rounds; round++) { /* before: register(pick, picks, round, rounds, sum) checkpoint */
        for (int k = 0; k < 1000; k++)
            sum += k * pick[round % picks][0];
        pick[round % picks]++;
        if (!*pick[round % picks])
            pick[round % picks] = words;
    }
    printf("%.15g %s\n", sum, pick[2]);
    return 0;
}
