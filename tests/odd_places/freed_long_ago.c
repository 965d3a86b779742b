/* A pointer into memory that was freed long ago lies sixteen bytes before another block by chance.
   restarts */
#include <stdio.h>
#include <stdlib.h>

enum { others = 20000 };

struct word { char *text; int length; };

int main(int argc, char **argv)
{
    int i, sum = 0;
    char *all = malloc(6000), *guard = malloc(16);
    struct word word = { all + 1488, 4 };
    free(all);
    char *first = malloc(1482), *second = malloc(600);
    for (int k = 0; k < 600; k++)
        first[k] = second[k] = k % 50;
    printf("%d\n", first[argc + 20]);
    /* So many that nobody remembers each of them. */
    void **blocks = malloc(others * sizeof *blocks);
    for (int k = 0; k < others; k++)
        blocks[k] = malloc(2000);
    for (int k = 0; k < others; k++)
        free(blocks[k]);
    printf("%d\n", blocks[argc] == blocks[2]);
    free(blocks);
    if (second - word.text != 16)
        printf("it lies elsewhere: %d\n", (int)(second - word.text));
#pragma cccp init
#pragma cccp register(i, sum, second[600], word)
    for (i = 0; i < 8; i++) {
#pragma cccp checkpoint
        sum += second[i] += word.length;
    }
    printf("%d\n", sum);
#pragma cccp shutdown
    free(first);
    free(guard);
    return argv[argc] != NULL;
}
