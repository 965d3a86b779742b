/* Old C: functions that allocate are called without a declaration. Compilers know what they return. */
#include <stdio.h>

struct item {
    long value;
    char *name;
    struct item *next;
};

static struct item *head;

static struct item *item(value)
int value;
{
    struct item *one = calloc(1, sizeof *one);

    one->value = value;
    one->name = strdup("item");
    one->name = realloc(one->name, 8 + value % 50);
    return one;
}

int main(argc, argv)
int argc;
char **argv;
{
    long step, sum = 0;
    struct item *one;

    for (step = 0; step < 60; step++) {
        one = malloc(sizeof *one);
        one->next = head;
        one->value = step;
        one->name = 0;
        head = one;
        if (step % 3 == 0) {
            one = item((int)step);
            one->next = head->next;
            free(head->name);
            free(head);
            head = one;
        }
        for (one = head; one; one = one->next)
            sum = (sum * 31 + one->value + (one->name ? one->name[1] : 0)) % 1000003;
    }
    printf("%ld\n", sum);
    return 0;
}
