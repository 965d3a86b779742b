/* Bytes that look like the address of a local by chance, as the second word says, or that are one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct holder {
    double value;
    void *address;
};

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "none";
    unsigned long chance = argc > 2 ? strtoul(argv[2], NULL, 16) : 0;
    int local = 3, step, i, sum = 0;
    char *text, *given, *copied, *first, *longer, *names;
    struct holder holder = {1, NULL};
#pragma cccp init heap(fixed)
    if (strcmp(how, "where") == 0) {
        printf("%p\n", (void *)&local);
        return 0;
    }
    text = malloc(64);
    given = malloc(64);
    free(given);
    given = malloc(200000);
    copied = malloc(64);
    first = malloc(60);
    names = NULL;
    if (strcmp(how, "bytes") == 0)
        for (i = 0; i < 8; i++)
            text[16 + i] = given[100000 + i] = (char)(chance >> 8 * i);
    if (strcmp(how, "copied") == 0 || strcmp(how, "longer") == 0 || strcmp(how, "again") == 0)
        holder.address = &local;
    longer = realloc(first, 64);
    if (strcmp(how, "copied") == 0)
        memcpy(copied, &holder, sizeof holder);
    if (strcmp(how, "longer") == 0)
        for (i = 0; i < (int)sizeof holder; i++)
            longer[i] = ((char *)&holder)[i];
    if (strcmp(how, "again") == 0) {
        free(text);
        names = malloc(64);
        memcpy(names + 8, &holder.address, sizeof holder.address);
        text = given;
    }
    for (step = 0; step < 8; step++) {
#pragma cccp register(step, sum, text, given, copied, longer, names)
#pragma cccp checkpoint every(1)
        sum += step * (text[16] + copied[0] + longer[0] + (names != NULL) - given[100000]);
    }
    printf("%d %d\n", sum, local);
    return 0;
}
