// auto resumes 3 9
// assumes what is read as a number from `struct key`, and something is computed from, is no part of a pointer that lies there
#include <stdio.h>
#include <stdlib.h>

struct key {
    unsigned long number;
};
struct entry {
    const char *text;
};

static unsigned of_key(const void *what)
{
    const struct key *key = what;
    return (unsigned)(key->number * 2654435761u >> 7);
}

static unsigned (*of)(const void *) = of_key;

int main(int count, char **words)
{
    struct key *keys = calloc(10, sizeof *keys);
    struct entry *entries = calloc(10, sizeof *entries);
    unsigned *found = calloc(10, sizeof *found);
    for (int i = 0; i < 10; i++) {
        keys[i].number = i * 5;
        entries[i].text = words[0] ? "one" : "two";
        const void *which = count < 5 ? (const void *)&keys[i] : (const void *)&entries[i];
        found[i] = of(which);
    }
    unsigned sum = 0;
    for (int step = 0; step < 12; step++) {
        for (int i = 0; i < 10; i++)
            sum = sum * 7 + found[i] + entries[i].text[0];
    }
    printf("%u\n", sum);
    return 0;
}
