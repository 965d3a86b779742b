/* Every type in awkward places. Two steps change everything a little, with arithmetic that every machine does alike;
 * what is printed at the end does not depend on the machine, so a run may be carried on by another one.
 *
 * Long doubles hold numbers that a double holds, too. Plain chars are printed by their bits.
 */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum colour { RED, GREEN = 5, BLUE = 70000 };
enum signedness { BELOW = -40000, ABOVE = 40000 };
enum wide { NARROW = 1, WIDE = 0x7000000000 };
enum deep { DEEP = -0x7000000000, SHALLOW = 3 };

/* Alignment: a double or long long is aligned to 4 on one machine, to 8 on another. */
struct padded {
    char c;
    double d;
    short s;
    long long ll;
    char tail;
};

/* Sizes: a long, a pointer and a size_t have 4 or 8 bytes; a long double 8, 12 or 16. */
struct sizes {
    bool flag;
    long l;
    unsigned char uc;
    unsigned long ul;
    size_t size;
    signed char sc;
    long double ld;
    ptrdiff_t distance;
    wchar_t wide;
    long after;
};

/* Bits: filled from either end, signed, spanning units, of different types, next to ordinary members. */
struct bits {
    unsigned a : 1;
    int b : 5;
    unsigned : 3;
    unsigned c : 17;
    char between;
    int d : 31;
    unsigned long long e : 40;
    long long f : 33;
    unsigned : 0;
    unsigned char g : 3;
    bool h : 1;
    signed char i : 4;
    unsigned long long j : 64;
};

struct nested {
    struct padded rows[2][3];
    struct {
        short x;
        struct bits bits;
    } inner[2];
    char name[5];
    enum colour colour;
    enum wide big;
    float matrix[2][3];
    double complex z;
};

struct node {
    char label;
    struct node *next;
    double value;
    struct node **back;
    long double *middle;
};

struct flexible {
    unsigned char kind;
    long count;
    struct padded item[];
};

typedef int (*operation)(int, int);

struct functions {
    char c;
    operation apply;
    operation table[3];
};

static int add(int a, int b)
{
    return a + b;
}

static int take(int a, int b)
{
    return a - b;
}

static struct nested nested[2];
static long double wide_numbers[3];
static uint64_t fixed[3];

static double double_of(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void print_bits(const char *name, const double *number)
{
    uint64_t bits;
    memcpy(&bits, number, sizeof bits);
    printf("%s %016llx\n", name, (unsigned long long)bits);
}

static void print_long_double(const char *name, long double number)
{
    if (isnan(number))
        printf("%s nan\n", name);
    else
        printf("%s %.17Lg%s\n", name, number, signbit(number) ? " negative" : "");
}

static void print_padded(const char *name, const struct padded *one)
{
    printf("%s %d %.17g %d %lld %d\n", name, (unsigned char)one->c, one->d, one->s, one->ll, (unsigned char)one->tail);
}

static void print_record(const char *name, const struct bits *one)
{
    printf("%s %u %d %u %d %d %llu %lld %u %d %d %llu\n", name, one->a, one->b, one->c, (unsigned char)one->between,
           one->d, (unsigned long long)one->e, (long long)one->f, one->g, one->h, one->i, (unsigned long long)one->j);
}

static void change_padded(struct padded *one, int by)
{
    one->c = (char)(one->c + by);
    one->d = one->d * 0.5 - by;
    one->s = (short)(one->s - by);
    one->ll -= 1000000000000ll * by;
    one->tail = (char)(one->tail + 3);
}

static void change_bits(struct bits *one, int by)
{
    one->a ^= 1;
    one->b = -by % 16;
    one->c += 1021u;
    one->between = (char)(by * 7);
    one->d = -1000000000 + by;
    one->e += 99999999999ull;
    one->f = -4000000000ll - by;
    one->g += 3;
    one->h = !one->h;
    one->i = (signed char)(by % 2 ? -8 : 7);
    one->j = one->j * 3 + 0xfedcba9876543210ull;
}

static int calls_of_inner(int step, int64_t factor, wchar_t letter, size_t length, enum wide much, struct padded given)
{
    static int calls = 3;
    static const char *const names[] = {"zero", "one"};
    double variable[length];
    const char *text = names[step % 2];

    for (size_t i = 0; i < length; i++)
        variable[i] = 0.1 * (double)i - step;
#pragma cccp register(calls, variable)
#pragma cccp checkpoint
    text = names[step % 2];
    printf("inner %d %lld %d %d %llx %.17g %s\n", calls, (long long)factor, (int)letter, (int)length,
           (unsigned long long)much, variable[length - 1], text);
    print_padded("given", &given);
    return ++calls;
}

int main(int argc, char **argv)
{
#pragma cccp init
    const int length = 5;
    int step, total = 0;
    signed char sc = -128;
    unsigned char uc = 200;
    char plain = (char)0xe9;
    short s = -32768;
    unsigned short us = 65535;
    int i = INT32_MIN;
    unsigned u = UINT32_MAX;
    long l = -2147483647L - 1;
    unsigned long ul = 4294967295UL;
    long long ll = INT64_MIN;
    unsigned long long ull = UINT64_MAX;
    int8_t i8 = -7;
    uint8_t u8 = 250;
    int16_t i16 = -300;
    int32_t i32 = -70000;
    int64_t i64 = INT64_MIN + 1;
    intptr_t ip = -5;
    size_t size = 4294967295u;
    ptrdiff_t distance = -9;
    wchar_t letter = L'\u00e9';
    bool yes = true;
    float f = -0.1f;
    double numbers[9];
    float complex cf = 1.0f - 2.0f * I;
    double complex cd = -0.5 + 0.1 * I;
    long double complex cl = 3.0L + 0.25L * I;
    enum colour colour = BLUE;
    enum signedness around = BELOW;
    enum wide wide = WIDE;
    enum deep deep = DEEP;
    char text[12] = "start";
    struct sizes sizes;
    struct functions functions = {'f', add, {take, NULL, add}};
    struct node *list = NULL;
    struct node **last = &list;
    struct flexible *many = calloc(1, sizeof *many + 3 * sizeof(struct padded));
    struct padded *rows = calloc(6, sizeof *rows);
    struct padded *third;
    double *number_in_row;
    double *inside;
    struct padded *end;
    struct node *nodes = calloc(4, sizeof *nodes);
    char *argument = argc > 1 ? argv[1] + 1 : NULL;

    if (many == NULL || rows == NULL || nodes == NULL)
        return 1;
    memset(&sizes, 0, sizeof sizes);
    for (int k = 0; k < 4; k++) {
        nodes[k] = (struct node){(char)('a' + k), NULL, 1.5 * k, last, &wide_numbers[k % 3]};
        *last = &nodes[k];
        last = &nodes[k].next;
    }
    numbers[0] = -0.0;
    numbers[1] = INFINITY;
    numbers[2] = double_of(0x7ff8dead0000beefull);
    numbers[3] = double_of(0xfff0000000000001ull);
    numbers[4] = double_of(1);
    numbers[5] = -DBL_MAX;
    numbers[6] = 0.1;
    numbers[7] = DBL_MIN / 4;
    numbers[8] = -INFINITY;
    wide_numbers[0] = -0.0L;
    wide_numbers[1] = 0.1;
    wide_numbers[2] = DBL_MIN / 4;
    many->kind = 7;
    many->count = 3;
    third = &rows[2];
    number_in_row = &rows[4].d;
    inside = &numbers[6];
    end = rows + 6;

#pragma cccp register(length, step, total, sc, uc, plain, s, us, i, u, l, ul, ll, ull, i8, u8, i16, i32, i64, ip, size)
#pragma cccp register(distance, letter, yes, f, numbers, cf, cd, cl, colour, around, wide, deep, text, sizes)
#pragma cccp register(functions, list, nodes[4], many[1], many->item[many->count], rows[6], third, number_in_row)
#pragma cccp register(inside, end, argument, nested, wide_numbers, fixed)

    for (step = 0; step < 4; step++) {
        total += calls_of_inner(step, -5000000000ll * (step + 1), letter, (size_t)length, wide,
                                (struct padded){(char)step, 0.5 * step, -7, 1ll << 40, 'z'});
        sc++, uc += 3, plain++, s++, us--, i++, u -= 2, l++, ul--, ll += 3, ull--;
        i8--, u8++, i16 -= 9, i32 *= 3, i64++, ip -= 70000, size--, distance -= 4, letter++, yes = !yes;
        f *= 1.5f, numbers[6] *= -0.5, numbers[7] *= 0.5;
        cf = cf * 0.5f, cd = cd * I, cl = cl * 2.0L;
        colour = colour == BLUE ? GREEN : BLUE;
        around = around == BELOW ? ABOVE : BELOW;
        wide = wide == WIDE ? NARROW : WIDE;
        deep = deep == DEEP ? SHALLOW : DEEP;
        text[step + 5] = (char)('A' + step);
        sizes.flag = !sizes.flag;
        sizes.l = -2000000000L + step;
        sizes.uc += 100;
        sizes.ul = 4000000000UL + (unsigned)step;
        sizes.size += 1000000000u;
        sizes.sc -= 30;
        sizes.ld = sizes.ld * 0.5L - 0.75L;
        sizes.distance -= 1000000;
        sizes.wide = letter;
        sizes.after = ~sizes.l;
        functions.apply = step % 2 ? take : add;
        functions.table[step % 3] = step ? add : NULL;
        list->value += list->next->value;
        nodes[step].next = step == 3 ? NULL : &nodes[step + 1];
        nodes[step].label++;
        for (int k = 0; k < 3; k++) {
            change_padded(&many->item[k], step + k);
            wide_numbers[k] *= 2.0L;
            fixed[k] = fixed[k] * 5 + 0xffffffff00000000ull + (unsigned)k;
        }
        for (int k = 0; k < 6; k++)
            change_padded(&rows[k], 100 * k + step);
        for (int k = 0; k < 2; k++) {
            struct nested *one = &nested[k];
            for (int row = 0; row < 6; row++) {
                change_padded(&one->rows[row / 3][row % 3], row + k);
                one->matrix[row / 3][row % 3] -= 0.5f * (float)(row + step);
            }
            for (int m = 0; m < 2; m++) {
                one->inner[m].x = (short)(one->inner[m].x - 500 * (k + 1));
                change_bits(&one->inner[m].bits, 5 * k + m + step);
            }
            one->name[step] = (char)('k' + step + k);
            one->colour = k ? RED : colour;
            one->big = k ? wide : NARROW;
            one->z = one->z * 0.5 + step - 0.25 * k * I;
        }
        third->d += 0.125;
        *number_in_row -= 0.0625;
        *inside += 4.0;
    }

    printf("small %d %d %d %d %d %d %u\n", sc, uc, (unsigned char)plain, s, us, i, u);
    printf("long %ld %lu %lld %llu\n", l, ul, ll, ull);
    printf("fixed %d %d %d %d %lld %lld %llu %td %ld %d\n", i8, u8, i16, (int)i32, (long long)i64, (long long)ip,
           (unsigned long long)size, distance, (long)letter, yes);
    for (int k = 0; k < 9; k++)
        print_bits("number", &numbers[k]);
    printf("float %.9g complex %.9g %.9g %.17g %.17g %.17Lg %.17Lg\n", (double)f, (double)crealf(cf), (double)cimagf(cf),
           creal(cd), cimag(cd), creall(cl), cimagl(cl));
    printf("enums %d %d %lld %lld text %s\n", (int)colour, (int)around, (long long)wide, (long long)deep, text);
    printf("sizes %d %ld %d %lu %llu %d %td %ld %ld\n", sizes.flag, sizes.l, sizes.uc, sizes.ul,
           (unsigned long long)sizes.size, sizes.sc, sizes.distance, (long)sizes.wide, sizes.after);
    print_long_double("sizes.ld", sizes.ld);
    printf("functions %d %d %d %d\n", functions.apply(5, 3), functions.table[0] ? functions.table[0](5, 3) : 0,
           functions.table[1] ? functions.table[1](5, 3) : 0, functions.table[2](5, 3));
    for (struct node *at = list; at != NULL; at = at->next)
        printf("node %c %.17g %d %d\n", at->label, at->value, *at->back == at, (int)(at->middle - wide_numbers));
    printf("many %d %ld\n", many->kind, many->count);
    for (int k = 0; k < many->count; k++)
        print_padded("item", &many->item[k]);
    for (int k = 0; k < 6; k++)
        print_padded("row", &rows[k]);
    printf("pointers %d %d %d %d\n", (int)(third - rows), number_in_row == &rows[4].d, (int)(inside - numbers),
           (int)(end - rows));
    for (int k = 0; k < 2; k++) {
        const struct nested *one = &nested[k];
        print_padded("nested", &one->rows[1][2]);
        print_padded("nested", &one->rows[0][0]);
        print_record("bits", &one->inner[0].bits);
        print_record("bits", &one->inner[1].bits);
        printf("nested %d %d %s %d %lld %g %g %.17g %.17g\n", one->inner[0].x, one->inner[1].x, one->name,
               (int)one->colour, (long long)one->big, (double)one->matrix[0][1], (double)one->matrix[1][2],
               creal(one->z), cimag(one->z));
    }
    for (int k = 0; k < 3; k++) {
        print_long_double("wide", wide_numbers[k]);
        printf("fixed %llu\n", (unsigned long long)fixed[k]);
    }
    printf("total %d argument %s\n", total, argument == NULL ? "none" : argument);
#pragma cccp shutdown
    free(many);
    free(rows);
    free(nodes);
    return 0;
}
