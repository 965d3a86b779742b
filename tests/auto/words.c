/* Words in a tree of nodes that point to each other, with text of its own, and counts in a table that grows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    char *word;
    long count;
    struct node *less, *more;
};

static struct node *root;
static long *history;
static long room, used;

static struct node *find(const char *word)
{
    struct node **at = &root;
    while (*at != NULL) {
        int order = strcmp(word, (*at)->word);
        if (order == 0)
            return *at;
        at = order < 0 ? &(*at)->less : &(*at)->more;
    }
    *at = malloc(sizeof **at);
    if (*at == NULL)
        exit(1);
    (*at)->word = strdup(word);
    (*at)->count = 0;
    (*at)->less = (*at)->more = NULL;
    return *at;
}

static void print(const struct node *n)
{
    if (n == NULL)
        return;
    print(n->less);
    printf("%s %ld\n", n->word, n->count);
    print(n->more);
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 400;
    unsigned long seed = 12345;
    long total = 0;
    char word[16];

    for (long round = 0; round < rounds; round++) {
        seed = seed * 1103515245ul + 12345ul;
        snprintf(word, sizeof word, "w%03lu", seed / 65536 % 97);
        struct node *n = find(word);
        n->count += round % 5 + 1;
        if (used == room) {
            room = room == 0 ? 8 : 2 * room;
            history = realloc(history, room * sizeof *history);
            if (history == NULL)
                return 1;
        }
        history[used++] = n->count;
    }
    for (long i = 0; i < used; i++)
        total += history[i] * (i % 3);
    print(root);
    printf("%ld\n", total);
    return 0;
}
