/* Memory whose types do not say where pointers are: structs carved from bytes, pointers among bytes and in unions, a table that is
 * searched by addresses, data behind a struct, lists of anything; blocks that come and go by all functions that allocate. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    double *values;
    const char *name;
    int count;
};

struct part {
    int kind;
    union {
        double *numbers;
        char *text;
        long count;
    } of;
};

struct any {
    void *what;
    const void *key; /* of its amount */
    double (*change)(double);
    struct any *next;
};

struct network {
    int count;
    double *weights;
    uint64_t bound; /* a number, although it could be an address */
};

static char *pool;
static size_t used;
static void *slots[64];
static double amounts[64];
static const char *words[] = {"first", "second", "third"};

static double twice(double x) { return 2 * x; }
static double half(double x) { return x / 2; }

static void *carve(size_t size)
{
    void *place = pool + used;
    used += (size + 15) & ~(size_t)15;
    if (used > 1 << 16)
        exit(3);
    return place;
}

static unsigned slot(const void *key)
{
    unsigned at = (unsigned)(((uintptr_t)key >> 4) * 2654435761u) % 64;
    while (slots[at] != NULL && slots[at] != key)
        at = (at + 1) % 64;
    return at;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 40;
    struct node *nodes = NULL;
    struct part *parts;
    struct any *all = NULL;
    struct network *network;
    char *bytes, *line = NULL, *text;
    size_t room = 0;
    double *aligned, sum = 0;
    FILE *input;
    int step, i, k;
#pragma cccp init heap(fixed)

    pool = malloc(1 << 16);
    for (i = 0; i < 20; i++) {
        struct node *one = carve(sizeof *one);
        one->count = 3 + i % 4;
        one->name = i % 2 ? words[i % 3] : argv[argc - 1];
        one->values = carve(one->count * sizeof(double));
        for (k = 0; k < one->count; k++)
            one->values[k] = i + k;
        one->next = nodes;
        nodes = one;
    }
    parts = calloc(6, sizeof *parts);
    for (i = 0; i < 6; i++) {
        parts[i].kind = i % 3;
        if (i % 3 == 0)
            parts[i].of.numbers = calloc(10, sizeof(double));
        else if (i % 3 == 1)
            parts[i].of.text = strdup("a text");
        else
            parts[i].of.count = i;
    }
    for (i = 0; i < 10; i++) {
        struct any *one = malloc(sizeof *one);
        one->what = i % 2 ? malloc(sizeof(double)) : calloc(1, sizeof(struct network));
        if (i % 2)
            *(double *)one->what = i;
        else
            ((struct network *)one->what)->count = i;
        one->change = i % 2 ? twice : half;
        one->next = all;
        all = one;
        one->key = one;
        amounts[slot(one)] = i;
        slots[slot(one)] = one;
    }
    network = malloc(sizeof *network + 30 * sizeof(double));
    network->count = 30;
    network->bound = (UINT64_C(1) << 37) - 4;
    network->weights = (double *)(network + 1);
    for (i = 0; i < 30; i++)
        network->weights[i] = i;
    bytes = malloc(10 * sizeof(void *));
    for (i = 0; i < 10; i++) {
        double *one = malloc(sizeof *one);
        *one = i;
        memcpy(bytes + i * sizeof(void *), &one, sizeof one);
    }
    if (posix_memalign((void **)&aligned, 256, 100 * sizeof(double)) != 0)
        return 3;
    memset(aligned, 0, 100 * sizeof(double));
    text = malloc(4);
    strcpy(text, "x");

    for (step = 0; step < steps; step++) {
#pragma cccp register(step, steps, nodes, parts, all, network, bytes, aligned, text, sum, line, room)
#pragma cccp register(pool, used, slots, amounts)
#pragma cccp checkpoint every(1)
        struct node *node;
        struct any *one;
        char *old = text;
        sum += network->bound % (step + 5);
        for (node = nodes; node != NULL; node = node->next)
            for (k = 1; k < node->count; k++)
                node->values[k] += 0.25 * node->values[k - 1] / (step + strlen(node->name));
        for (i = 0; i < 6; i++)
            if (parts[i].kind == 0)
                parts[i].of.numbers[step % 10] += i + step;
            else if (parts[i].kind == 1)
                parts[i].of.text[0] = 'a' + step % 26;
            else
                parts[i].of.count += step;
        for (one = all; one != NULL; one = one->next) {
            amounts[slot(one->key)] = one->change(amounts[slot(one->key)]) + 1;
            if (one->change == half)
                ((struct network *)one->what)->count += step;
            else
                *(double *)one->what += step;
        }
        for (i = 0; i < network->count; i++)
            network->weights[i] = 0.5 * network->weights[i] + step;
        for (i = 0; i < 10; i++) {
            double *number;
            memcpy(&number, bytes + i * sizeof(void *), sizeof number);
            *number += step * i;
        }
        aligned[step % 100] = step;
        /* Blocks that grow, move, go, and come back at other places. */
        if (asprintf(&text, "%.40s%d", old, step) < 0)
            return 3;
        free(old);
        network = realloc(network, sizeof *network + (30 + step % 7) * sizeof(double));
        network->weights = (double *)(network + 1);
        if (step % 5 == 4) {
            struct any *fresh = malloc(sizeof *fresh);
            fresh->what = malloc(sizeof(double));
            *(double *)fresh->what = step;
            fresh->change = twice;
            fresh->key = all->key;
            fresh->next = all->next;
            free(all->what);
            free(all);
            all = fresh;
        }
        input = fmemopen(text, strlen(text), "r");
        if (getline(&line, &room, input) > 0)
            sum += line[step % strlen(line)];
        fclose(input);
    }
    while (nodes != NULL) {
        for (k = 0; k < nodes->count; k++)
            sum += nodes->values[k];
        nodes = nodes->next;
    }
    for (i = 0; i < 6; i++)
        if (parts[i].kind == 0)
            for (k = 0; k < 10; k++)
                sum += parts[i].of.numbers[k];
        else if (parts[i].kind == 1)
            sum += parts[i].of.text[0];
        else
            sum += parts[i].of.count;
    for (; all != NULL; all = all->next)
        sum += all->change == half ? ((struct network *)all->what)->count : *(double *)all->what;
    for (i = 0; i < 64; i++)
        sum += amounts[i];
    for (i = 0; i < network->count; i++)
        sum += network->weights[i];
    for (i = 0; i < 100; i++)
        sum += aligned[i];
    printf("%.17g %s\n", sum, text);
    free(text);
    free(aligned);
    free(network);
    free(line);
    return 0;
}
