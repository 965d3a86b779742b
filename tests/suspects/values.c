/* Values that may be pointers though their types do not say so, and pointers that may lead to memory of a library: in the run
 * they are none, unless the argument names one of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned long word;
typedef struct {
    double *data;
    word count;
    long step;
} record;
struct value {
    int kind;
    union {
        double number;
        long count;
        struct value *list;
    } as;
    union {
        word bits;
        struct value *other;
    };
    struct value *next;
};
struct item {
    const char *name;
    double weight;
};
struct message {
    struct message *next;
    short length;
    unsigned char bytes[];
};
#define PUT(place, value) memcpy(&(place), &(value), sizeof(place))

static void set(record *one, word what, int which)
{
    word *words = (word *)one;
    words[which] = what;
}

static struct value *list_of(int length)
{
    struct value *head = NULL;
    for (int i = 0; i < length; i++) {
        struct value *one = calloc(1, sizeof *one);
        one->kind = i % 2;
        if (one->kind)
            one->as.number = 1.5 * i;
        else
            one->as.count = i;
        one->bits = i;
        one->next = head;
        head = one;
    }
    return head;
}

int main(int argc, char **argv)
{
    const char *odd = argc > 1 ? argv[1] : "";
#define ODD(name) (strcmp(odd, name) == 0)
    double *cells = calloc(20, sizeof *cells), sum = 0;
    word length = 20, local;
    word *table = calloc(8, sizeof *table);
    record *one = calloc(1, sizeof *one), *other = calloc(1, sizeof *other);
    struct value *head = list_of(6);
    struct item *items = calloc(3, sizeof *items);
    time_t moment = 86400;

    one->data = cells;
    one->count = 10;
    set(other, (word)cells, 0);
    set(other, ODD("member") ? (word)cells : 7, 2);
    if (ODD("union"))
        head->as.list = head->next;
    if (ODD("anonymous"))
        head->other = head;
    if (ODD("local"))
        PUT(local, cells);
    else
        PUT(local, length);
    memcpy(&table[3], ODD("table") ? (void *)&cells : (void *)&length, sizeof(word));
    for (int i = 0; i < 3; i++)
        items[i].name = strdup("own");
    if (ODD("library"))
        items[1].name = asctime(gmtime(&moment));

    unsigned char *packed = malloc(64);
    int halves[6] = {0};
    struct message *message = malloc(sizeof *message + 40);
    message->next = NULL;
    message->length = 40;
    memcpy(packed + 5, ODD("packed") ? (void *)&cells : (void *)&length, sizeof(word));
    memcpy(halves, ODD("halves") ? (void *)&cells : (void *)&length, sizeof(word));
    memcpy(message->bytes + 3, ODD("message") ? (void *)&cells : (void *)&length, sizeof(word));

    for (int step = 0; step < 10; step++) {
#pragma cccp checkpoint
        for (word i = 0; i < one->count; i++)
            one->data[i] += step * 0.5 + i;
        other->step++;
        for (struct value *at = head; at; at = at->next) {
            if (at->kind)
                at->as.number += step;
            else
                at->as.count++;
            at->bits++;
            sum += at->kind ? at->as.number : at->as.count + at->bits;
        }
        table[step % 8] += local;
        items[step % 3].weight += step;
        sum += ODD("none") ? table[3] + packed[5] + halves[0] + message->bytes[3] : 0;
        sum += items[1].name[0];
        printf("%d %g %g %ld\n", step, sum, other->data[3], other->step);
    }
    printf("%g %lu\n", sum, local);
    return 0;
}
