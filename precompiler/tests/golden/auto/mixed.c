/* A block with a struct and something else behind it: saved as more structs, the text would not come back. */
/* refused: cannot restore what this call allocates | a `struct head` with something else behind it | char text[] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct head { char *name; double x; };
struct list { struct head *head; int n; };

int main(int argc, char **argv)
{
    struct list *list = malloc(sizeof *list);
    struct head *head = malloc(sizeof *head + 32);
    list->head = head;
    list->n = argc;
    head->name = strdup(argv[0]);
    head->x = 1;
    strcpy((char *)(head + 1), "hello, this is some text");
    for (int step = 0; step < 1000; step++) {
        list->head->x += 0.5 * step;
        printf("%s %g %s\n", list->head->name, list->head->x, (char *)(list->head + 1));
    }
    return 0;
}
