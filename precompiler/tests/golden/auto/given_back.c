/* Memory that is needed only for a while and given back: checkpoints that come later are taken all the same, though its
 * pointers still have registers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum;

static void perhaps(int i)
{
    if (i > 3) {
#pragma cccp checkpoint
        sum = 3 * sum + i;
    }
    sum++;
}

static void work(int depth)
{
    int *numbers = malloc(4 * sizeof *numbers);

    for (int i = 0; i < 4; i++)
        numbers[i] = i * i;
    for (int i = 0; i < 4; i++) {
        char *word = malloc(20);
        strcpy(word, "some words");
        perhaps(i);
        sum += numbers[i] + word[i];
        free(word);
    }
    free(numbers);
    for (int i = 4; i < 7; i++)
        perhaps(i);
    if (depth > 0)
        work(depth - 1);
}

int main(void)
{
    work(1);
    printf("%d\n", sum);
    return 0;
}
