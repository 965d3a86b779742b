/* An array of pointers that has room for more than are in it: what lies behind the last one was never set. One of the pointers
 * may lead to memory of the library, so each checkpoint looks at all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct list {
    int count, room;
    const char **names;
};

static void push(struct list *list, const char *name)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 4;
        list->names = realloc(list->names, list->room * sizeof *list->names);
    }
    list->names[list->count++] = name;
}

/* Memory that is used again, and was full of what is no pointer. */
static void litter(void)
{
    unsigned long *blocks[40];
    for (int i = 0; i < 40; i++) {
        int words = 4 << i % 5;
        blocks[i] = malloc(words * sizeof(unsigned long));
        for (int word = 0; word < words; word++)
            blocks[i][word] = 0x4000000000000058ul;
    }
    unsigned long sum = 0;
    for (int i = 0; i < 40; i++) {
        sum += blocks[i][1];
        free(blocks[i]);
    }
    printf("%lu\n", sum);
}

int main(int argc, char **argv)
{
    struct list list = {0, 0, NULL};
    time_t now = 0;
    litter();
    push(&list, "first");
    if (argc > 1 && strcmp(argv[1], "library") == 0)
        push(&list, asctime(gmtime(&now)));
    for (int step = 0; step < 12; step++) {
#pragma cccp checkpoint
        char text[16];
        snprintf(text, sizeof text, "step %d", step);
        push(&list, strdup(text));
        size_t length = 0;
        for (int i = 0; i < list.count; i++)
            length += strlen(list.names[i]) * (i + 1);
        printf("%d %zu %s\n", step, length, list.names[step / 2]);
    }
    return 0;
}
