/* Pointers that are numbers: they point to nothing, and mean the same in every process.
 * restarts */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct node {
    int value;
    struct node *next;
};

typedef struct node *list;

#define END ((struct node *)-1)
#define NOT_YET ((list)1)

static list cached = NOT_YET;

static struct {
    void *map;
    void (*handler)(int);
    struct node *table[3];
} state = {MAP_FAILED, SIG_ERR, {END, NOT_YET, NULL}};

static list push(list head, int value)
{
    list made = malloc(sizeof *made);
    if (made == NULL)
        exit(1);
    made->value = value;
    made->next = head;
    return made;
}

static int right(void)
{
    return (state.map == MAP_FAILED) + 2 * (state.handler == SIG_ERR) + 4 * (state.table[0] == END)
           + 8 * (state.table[1] == NOT_YET) + 16 * (state.table[2] == NULL) + 32 * (cached == NOT_YET);
}

int main(void)
{
    long sum = 0;
    int i, j;
    list head = END;
    list slots[2] = {NOT_YET, END};
    list *heap = malloc(3 * sizeof *heap);
    void *tag = (void *)(intptr_t)-300;
    const char *none = (const char *)65535;
#pragma cccp init
    for (j = 0; j < 3; j++)
        heap[j] = j ? END : NOT_YET;
#pragma cccp register(i, sum, follow(head), slots, heap[], tag, none, cached, state)
    for (i = 0; i < 6; i++) {
#pragma cccp checkpoint
        head = push(head, i);
        for (struct node *at = head; at != END; at = at->next)
            sum = 3 * sum + at->value;
        sum += right() + 64 * (slots[0] == NOT_YET) + 128 * (slots[1] == END) + 256 * (heap[0] == NOT_YET)
               + 512 * (heap[2] == END) + 1024 * ((intptr_t)tag == -300) + 2048 * ((uintptr_t)none == 65535);
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
