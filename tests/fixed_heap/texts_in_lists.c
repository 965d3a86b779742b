/* A list that holds what it is given as `void *`, texts and structs with streams in them alike, and hashes of the texts: they read as far as
 * a zero. Nobody reads a struct with pointers in it so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int is_text;
    void *what;
    struct item *next;
};

struct pair {
    char *word;
    FILE *by;
    long count;
};

static struct item *front(struct item *list, int is_text, void *what)
{
    struct item *item = malloc(sizeof *item);
    item->is_text = is_text;
    item->what = what;
    item->next = list;
    return item;
}

static unsigned long hash(char *text)
{
    unsigned long all = 5381, c;
    while ((c = (unsigned long)*text++))
        all = (all << 5) + all ^ c;
    return all;
}

static unsigned long sum(const char *text)
{
    unsigned long all = 0;
    for (size_t at = 0; at < strlen(text); at++)
        all = all * 31 + text[at];
    return all;
}

static unsigned capitals(const char *text)
{
    unsigned found = 0;
    for (const char *at = text; *at != '\0' && found < 10; ++at)
        found += *at >= 'A' && *at <= 'Z';
    return found;
}

int main(void)
{
    struct item *all = NULL;
    for (int number = 0; number < 40; number++) {
        char *word = malloc(16);
        sprintf(word, "Word%d", number % 17);
        all = front(all, 1, word);
        struct pair *pair = calloc(1, sizeof *pair);
        pair->word = word;
        pair->by = stderr;
        all = front(all, 0, pair);
    }
    unsigned long total = 0;
    long counts[64] = {0};
    for (int pass = 0; pass < 300; pass++)
        for (struct item *one = all; one; one = one->next) {
            struct pair *pair = one->what;
            if (one->is_text) {
                counts[hash(one->what) % 64] += pass;
                total += sum(one->what) + capitals(one->what);
            } else {
                pair->count += hash(pair->word) % 3 + (pair->by == stderr);
            }
        }
    for (struct item *one = all; one; one = one->next)
        if (!one->is_text)
            total += ((struct pair *)one->what)->count;
    for (int at = 0; at < 64; at++)
        total = total * 3 + counts[at];
    printf("%lu\n", total);
    return 0;
}
