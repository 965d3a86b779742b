/* The same name in different functions and activations, registered again in the same one, and unregistered. */
#include <stdio.h>
#include <stdlib.h>

static double *kept;

/* Registers memory that outlives the call. */
static void allocate(int n)
{
    double *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = i + 0.25;
    kept = u;
#pragma cccp register(kept[n])
}

static int depth(int level)
{
    int u = level * 10, result;
#pragma cccp register(u)
#pragma cccp checkpoint
    u += 1;
    if (level == 0)
        result = 1;
    else
        result = depth(level - 1);
    return result + u;
}

int main(void)
{
#pragma cccp init
    int u = 7, round;
    char *text = malloc(8);
    for (int i = 0; i < 8; i++)
        text[i] = (char)('a' + i);
#pragma cccp register(u, round, text[8])
    allocate(5);
    for (round = 0; round < 3; round++) {
        u += depth(round + 1) + (int)kept[round];
        kept[round] *= 2.0;
        if (round == 1) {
#pragma cccp unregister(text)
            free(text);
            text = malloc(3);
            text[0] = text[1] = text[2] = 'z';
#pragma cccp register(text[3])
        }
        text[0]++;
    }
    printf("%d %.17g %c\n", u, kept[2], text[0]);
    free(text);
    free(kept);
#pragma cccp shutdown
    return 0;
}
