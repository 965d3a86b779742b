/* Calls of other functions in an expression with one that leads to a checkpoint; killed at every checkpoint. link: -lm */
#include <math.h>
#include <stdio.h>
#include <string.h>

static int turn;
static long sum;

static int *place_of(int *table, int at)
{
    return table + at;
}

static int twice(int x)
{
    return 2 * x;
}

static int next(int *counter)
{
    return ++*counter;
}

static int work(int x)
{
    turn++;
    for (int i = 0; i < 2; i++)
        sum += x * i;
    return 3 * x + 1;
}

/* What only the other calls read is needed after a restart: they are made when the one that leads to a checkpoint has returned. */
static double halved(int i)
{
    double x = i / 2.0;

    return sin(x) + work(i);
}

static int arguments(int i)
{
    int a = i + 3, b = i + 4, c = i + 5;

    return twice(a) + work(i) * twice(b) - twice(c);
}

static int through_pointers(int i)
{
    int table[4] = {i, 2 * i, 3 * i, 4 * i}, c = i, *p = &table[i % 3], *q = &c;

    *place_of(p, 1) = work(2);
    *place_of(q, 0) += work(3);
    return table[1] + table[2] + table[3] + c;
}

static int in_order(int i)
{
    char text[8] = "abcdefg";
    int a = i, b = i + 1, c = i + 2, d = i + 3, e = i + 4;

    text[i] = 0;
    return (int)strlen(text) - work(1) + (a > 2 && twice(b) > 1) + (work(next(&c)), twice(b)) + (d < 2 ? next(&d) : twice(e));
}

static int listed(int i)
{
    int a = 2 * i, b = 3 * i, c = 4 * i, d = i, e = 5 * i, list[3] = {twice(a), work(next(&b)), twice(c)};

    return list[0] + list[1] * list[2] + twice((d |= 2, next(&e))) - work(twice(a));
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        printf("%g %d ", halved(i), twice(i));
        printf("%d %d %d\n", arguments(i), through_pointers(i), in_order(i));
        printf("%d\n", listed(i));
    }
    printf("%ld %d\n", sum, turn);
    return 0;
}
