/* What stands in brackets in an `offsetof` is read, also when a macro or a declaration with arrays of variable length has it. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message { int length; double data[]; };
struct inner { short pair[2]; int more[7]; };
struct outer { char name[3]; struct inner inner[5]; };
#define BYTES(n) offsetof(struct message, data[(n)])

static unsigned sum;

static struct message *made(int n)
{
    struct message *one = malloc(BYTES(n));
    if (!one) exit(9);
    one->length = n;
    memset(one->data, 0, offsetof(struct message, data[n]) - offsetof(struct message, data));
    return one;
}

static long at(int i, int j)
{
    long there = 0;
    for (int k = 0; k < 3; k++) {
#pragma cccp register(k, there)
#pragma cccp checkpoint
        sum = sum * 31 + k;
        there += offsetof(struct outer, inner[i].more[j]) + offsetof(struct outer, inner[i].pair);
    }
    return there;
}

static long varying(int n, int i, int j)
{
    typedef int row[n];
    struct table { int head; row rows[n]; };
    int first = n++;
    long there = 0;
    for (int k = 0; k < 3; k++) {
#pragma cccp register(k, n, first, there)
#pragma cccp checkpoint
        sum = sum * 31 + k + n;
        there += offsetof(struct table, rows[i][j]) + sizeof(struct table) + first;
    }
    return there;
}

int main(void)
{
#pragma cccp init
#pragma cccp register(sum)
    for (int step = 0; step < 4; step++) {
        struct message *one = made(step % 5 + 1);
#pragma cccp register(step, one[])
        one->data[step % (unsigned)one->length] = step;
        long fixed = at(step % 5, step % 7);
        sum = sum * 31 + fixed;
        long varied = varying(3 + step, step % 3, 1);
        sum = sum * 31 + varied;
        for (int i = 0; i < one->length; i++) sum = sum * 31 + (unsigned)one->data[i];
#pragma cccp unregister(one)
        free(one);
        printf("%d %u\n", step, sum);
    }
    return 0;
}
