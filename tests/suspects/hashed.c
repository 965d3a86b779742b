/* SHORT, PUNNED, INSIDE, BEHIND, COPIED, BYTES, WHOLE, WORDS, KEPT, UNITED, HALVES, STREAM, FUNCTION, ITEMS, ARRANGED, SLOT, FLOATING: numbers that are computed from addresses on ways of their own, or what
 * they arrange. ALIGNED: what is computed is the same in every process. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 50, SLOTS = 64 };
typedef unsigned int number;
struct thing {
    double *cells;
    number key;
    struct thing *next;
};
union both {
    double *cells;
    number halves[2];
};
struct look {
    int kind;
    union {
        double *cells;
        uintptr_t bits;
    } as;
};
typedef struct {
    struct {
        union {
            double *cells;
            unsigned char bytes[sizeof(double *)];
        };
    } inner;
} deep;
static struct thing *table[SLOTS];
static double floating[MANY];

static number of_bytes(const void *what, size_t length)
{
    const unsigned char *at = what;
    number hash = 5381;
    while (length--)
        hash = hash * 33 + *at++;
    return hash;
}

static number key_of(struct thing *one)
{
#if defined(PUNNED)
    return ((number *)&one->cells)[0] >> 4;
#elif defined(HALVES)
    union both both;
    both.cells = one->cells;
    return both.halves[0] ^ both.halves[1];
#elif defined(INSIDE)
    struct look look = {0};
    look.as.cells = one->cells;
    return look.as.bits >> 4;
#elif defined(BEHIND)
    static deep shared;
    deep *look = &shared;
    look->inner.cells = one->cells;
    return look->inner.bytes[0] + look->inner.bytes[1] * 256u;
#elif defined(COPIED)
    uintptr_t bits;
    memcpy(&bits, &one->cells, sizeof bits);
    return (number)(bits >> 4);
#elif defined(BYTES)
    return of_bytes(&one->cells, sizeof one->cells);
#elif defined(WHOLE)
    struct thing look = { one->cells, 0, NULL };
    void *all = &look;
    return of_bytes(all, sizeof look);
#elif defined(WORDS)
    const number *words = (const number *)&one->cells;
    return of_bytes(words, sizeof one->cells);
#elif defined(KEPT)
    static struct {
        const void *what;
    } kept;
    struct thing look = { one->cells, 0, NULL };
    kept.what = &look;
    return of_bytes(kept.what, sizeof look);
#elif defined(UNITED)
    static union {
        struct thing *thing;
        unsigned char *bytes;
    } united;
    struct thing look = { one->cells, 0, NULL };
    united.thing = &look;
    return of_bytes(united.bytes, sizeof look);
#elif defined(STREAM)
    return (number)((uintptr_t)(one->cells ? stdout : stderr) >> 12);
#elif defined(FUNCTION)
    return (number)((uintptr_t)(one->cells ? key_of : NULL) >> 12);
#elif defined(ALIGNED)
    return (number)((uintptr_t)one->cells % 16) + ((uintptr_t)one->cells & 7);
#else
    return (number)((uintptr_t)one->cells >> 4);
#endif
}

static struct thing **slot(struct thing *one)
{
    return &table[key_of(one) % SLOTS];
}

int main(void)
{
    struct thing *things = calloc(MANY, sizeof *things);
    number *keys = calloc(MANY, sizeof *keys);
    double sum = 0;
    int lost = 0;
    for (int i = 0; i < MANY; i++) {
        struct thing *one = &things[i];
        one->cells = calloc(10, sizeof(double));
#if defined(ARRANGED)
        number at = key_of(one) % SLOTS;
        one->next = table[at];
        table[at] = one;
#elif defined(SLOT)
        struct thing **first = slot(one);
        one->next = *first;
        *first = one;
#elif defined(FLOATING)
        floating[i] = key_of(one);
#elif defined(ITEMS)
        keys[i] = key_of(one);
#else
        one->key = key_of(one);
#endif
    }
    for (int step = 0; step < 12; step++) {
#pragma cccp checkpoint
        for (int i = 0; i < MANY; i++) {
            struct thing *one = &things[i];
#if defined(ARRANGED) || defined(SLOT)
            struct thing *found = *slot(one);
            while (found && found != one)
                found = found->next;
            lost += !found;
#elif defined(FLOATING)
            lost += floating[i] != key_of(one);
#elif defined(ITEMS)
            lost += keys[i] != key_of(one);
#else
            lost += one->key != key_of(one);
#endif
            one->cells[step % 10] += step + i;
            sum += one->cells[step % 10];
        }
        printf("%d %g %d\n", step, sum, lost);
    }
    free(keys);
    return lost;
}
