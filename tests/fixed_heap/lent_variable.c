/* A text from a pool of the program's own is lent to the environment, and changes there later, without another call. What a block around
   `putenv` would read cannot be computed again: the library puts the same text back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk { size_t used; struct chunk *next; };

static struct chunk *chunks;

static void *hand_out(size_t n)
{
    struct chunk *one = malloc(sizeof *one + n);
    one->used = n;
    one->next = chunks;
    chunks = one;
    return one + 1;
}

static char *told(const char *name, int number)
{
    char *text = hand_out(64);
    snprintf(text, 64, "%s=%d", name, number);
    return text;
}

int main(void)
{
    char *pace = told("CCCP_TEST_PACE", 7), *limit = told("CCCP_TEST_LIMIT", 0);
    long sum = 0;
    putenv(pace);
    putenv(limit);
    for (int step = 0; step < 12; step++) {
        long *row = hand_out(100 * sizeof *row);
        for (int i = 0; i < 100; i++)
            row[i] = i * step;
        for (int i = 0; i < 100; i++)
            sum += row[i];
        /* The variable changes with the text. */
        snprintf(strchr(limit, '=') + 1, 16, "%d", step);
        if (step == 4)
            putenv("CCCP_TEST_MODE=fast");
        if (step == 8)
            unsetenv("CCCP_TEST_PACE");
        sum += atoi(getenv("CCCP_TEST_LIMIT"));
    }
    size_t used = 0;
    for (struct chunk *one = chunks; one; one = one->next)
        used += one->used;
    printf("%ld %zu %s %s %s\n", sum, used, getenv("CCCP_TEST_LIMIT"), getenv("CCCP_TEST_MODE"),
           getenv("CCCP_TEST_PACE") ? "paced" : "not paced");
    return 0;
}
