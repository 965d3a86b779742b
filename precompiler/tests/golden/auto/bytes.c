/* Pointers that lie in bytes at the checkpoint: in an arena that structs are carved from, in a buffer in a struct. Saved as bytes
   they would lead anywhere. In a block to which they are copied only the run finds them. */
/* refused: cannot restore `arena[…]` | cannot restore `box.bytes[…]` | it consists of bytes or of short numbers */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int value;
    struct item *next;
};

static char arena[4096];
static size_t used;
static struct item *list;

static void *carve(size_t size)
{
    void *piece = arena + used;
    used += (size + 15) & ~(size_t)15;
    return piece;
}

static struct {
    char kind;
    char bytes[24];
} box;
static int target[2] = {5, 6};

static char *packed;
static int count;

static void push(const void *from, size_t size)
{
    packed = realloc(packed, (count + 1) * size);
    memcpy(packed + count++ * size, from, size);
}

int main(void)
{
    *(int **)box.bytes = &target[1];
    for (int i = 0; i < 1000; i++) {
#pragma cccp checkpoint
        struct item *one = carve(sizeof *one);
        int *number = malloc(sizeof *number);
        one->value = i;
        one->next = list;
        list = one;
        *number = i;
        push(&number, sizeof number);
        **(int **)box.bytes += used;
        memcpy(&number, packed, sizeof number);
        printf("%d %d\n", *number, list->next ? list->next->value : 0);
    }
    return 0;
}
