/* Structs by member, unions, arrays, the heap, lists, tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector { double x, y; };
struct body { struct vector at, speed; int kind; char name[8]; };
union word { int number; unsigned char bytes[4]; };
struct node { struct node *next; int value, mark; };

static const int table[4] = {1, 2, 3, 4};
static double grid[16], copy[16];
static struct node *head;

static struct node *push(struct node *list, int value)
{
    struct node *node = malloc(sizeof *node);
    node->next = list;
    node->value = value;
    node->mark = 0;
    return node;
}

int main(int argc, char **argv)
{
    struct body sun = {{0, 0}, {1, 1}, argc, "sun"};
    union word word;
    double *u = malloc(argc * sizeof *u);
    double *v = calloc(argc, sizeof *v);
    double *late;
    int i, filled[8];
    struct node *at;

    word.number = argc;
    for (i = 0; i < argc; i++)
        u[i] = i;
    for (i = 0; i < 8; i++)
        filled[i] = i;
    for (i = 0; i < 16; i++)
        grid[i] = copy[i] = i;
    for (i = 0; i < argc; i++)
        head = push(head, i);
    /* must: sun.at.x live, sun.kind live, sun.name[] live, word live, u live, v live, heap@28[] live, heap@29[] live;
       must: grid[] live, head live, heap@42[].next live, heap@42[].value live, argc live, filled live */
    /* should: sun.at.y dead, sun.speed dead, late dead, i dead, at dead, heap@53 dead, copy dead */
#pragma cccp checkpoint
    sun.at.y = 3;
    sun.speed = sun.at;
    memset(copy, 0, sizeof copy);
    word.bytes[0] = 1;
    filled[argc & 7] = 1;
    u[0] = 1;
    late = malloc(sizeof *late);
    *late = 2;
    for (at = head; at; at = at->next)
        at->mark = at->value;
    for (at = head; at; at = at->next)
        printf("%d\n", at->mark);
    printf("%g %g %g %d %s %d %g\n", sun.at.x, sun.at.y, sun.speed.x, sun.kind, sun.name, word.number, *late);
    for (i = 0; i < argc; i++)
        printf("%g %g %d %g %g\n", u[i], v[i], table[i & 3], grid[i & 15], copy[i & 15]);
    return filled[0];
}
