/* Every type that can be registered. */
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum colour { RED, GREEN = 5, BLUE };

struct inner {
    short s[3];
    double complex z;
};

struct outer {
    char name[8];
    struct inner in[2];
    enum colour colour;
    unsigned flag : 1;
    int small : 5;
    unsigned long long wide : 40;
    bool on;
    struct outer *self;
    int (*compare)(const char *, const char *);
};

struct flexible {
    size_t n;
    int32_t item[];
};

union either {
    double d;
    unsigned char bytes[sizeof(double)];
};

static int my_compare(const char *a, const char *b)
{
    return a[0] - b[0];
}

static int other_compare(const char *a, const char *b)
{
    return b[0] - a[0];
}

static long double global_long_double = 1.0L;
static uint64_t fixed[2] = {1, UINT64_MAX};

static int counter(void)
{
    static int calls = 3;
#pragma cccp register(calls)
#pragma cccp checkpoint
    return ++calls;
}

int main(void)
{
#pragma cccp init
    signed char sc = -1;
    unsigned char uc = 200;
    short s = -300;
    unsigned short us = 60000;
    unsigned u = 4000000000u;
    long l = -5;
    unsigned long ul = 6;
    long long ll = -7;
    unsigned long long ull = 8;
    float f = 0.1f;
    double d = 0.1;
    float complex cf = 1.0f + 2.0f * I;
    double complex cd = 1.0 - 2.0 * I;
    bool yes = true;
    ptrdiff_t distance = -9;
    enum colour colour = GREEN;
    union either either = {.d = 2.5};
    struct outer one;
    struct flexible *many = malloc(sizeof *many + 5 * sizeof(int32_t));
    int step, total = 0;

    memset(&one, 0, sizeof one);
    strcpy(one.name, "start");
    one.self = &one;
    one.compare = my_compare;
    many->n = 5;
    for (int i = 0; i < 5; i++)
        many->item[i] = i * i;
#pragma cccp register(sc, uc, s, us, u, l, ul, ll, ull, f, d, cf, cd, yes, distance, colour, either, one)
#pragma cccp register(many[1], many->item[many->n], global_long_double, fixed, step, total)

    for (step = 0; step < 5; step++) {
        total += counter();
        sc--, uc++, s -= 100, us += 7, u += 11, l *= 3, ul *= 5, ll -= ul, ull += 13;
        f *= 1.5f, d *= 1.25, cf *= cf, cd = cd * I + 1.0, yes = !yes, distance -= 4;
        colour = colour == GREEN ? BLUE : GREEN;
        either.d *= 1.75;
        one.name[step] = (char)('A' + step);
        one.in[step % 2].s[step % 3] += (short)(step + 1);
        one.in[step % 2].z += cd;
        one.colour = colour;
        one.flag ^= 1;
        one.small = step % 2 ? -step : step;
        one.wide += 1000000000ull;
        one.on = yes;
        one.compare = step == 2 ? other_compare : one.compare;
        many->item[step] += one.self->small;
        global_long_double *= 1.0000000001L;
        fixed[0] = fixed[0] * 3 + fixed[1]--;
    }
    printf("%d %d %d %d %u %ld %lu %lld %llu %.9g %.17g\n", sc, uc, s, us, u, l, ul, ll, ull, (double)f, d);
    printf("%.9g %.9g %.17g %.17g %d %td %d %.17g\n", (double)crealf(cf), (double)cimagf(cf), creal(cd), cimag(cd), yes,
           distance, colour, either.d);
    printf("%s %d %d %.17g %d %d %d %llu %d %d %d\n", one.name, one.in[0].s[0], one.in[1].s[1], cimag(one.in[1].z),
           one.colour, one.flag, one.small, (unsigned long long)one.wide, one.on, one.self == &one,
           one.compare("a", "b"));
    printf("%zu %d %d %.21Lg %llu %llu %d\n", many->n, many->item[1], many->item[4], global_long_double,
           (unsigned long long)fixed[0], (unsigned long long)fixed[1], total);
    free(many);
#pragma cccp shutdown
    return 0;
}
