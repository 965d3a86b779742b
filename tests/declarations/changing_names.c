/* Initialisers whose names mean something else further on: variables, constants, types, tags and macros. What is set again in a restart
 * has the value of where it was declared. */
#include <stdio.h>
#include <stddef.h>
enum { COUNT = 3 };
typedef int cell;
struct part { int a[3]; };
static int level = 4, other = 50, table[4] = {1, 2, 3, 4};
struct box { int *first; double d; };
static struct box box = {table, 2.5};
#define STEP 3
static long work(long from)
{
    int *at = &level;
    int *const second = &table[1];
    int many = COUNT * 10 + sizeof(cell), size = sizeof(struct part), plain = STEP;
    struct box *whole = &box;
    double ratio = (cell)3.75 + 0.5;
    int *early = &other;
    int other = 7;
    long sum = from;
    {
        int level = 9;
        enum { COUNT = 8 };
        typedef double cell;
        struct part { double b[11]; } big = {{0}};
        int table[2] = {100, 200};
        struct box box = {&table[0], 99};
#undef STEP
#define STEP 4
        cell own = 1.5;
        for (int i = 0; i < 30; i++) {
            sum = sum * 3 % 100003 + level + *at + *second + many + size + (long)(ratio * 4) + plain + COUNT + STEP;
            *at += 1; level += 2; *second += 1; table[1] += i; big.b[i % 11] += own; own *= 1.25; box.d += whole->d; whole->d += 1;
            *early += 1; other += 2;
            sum += *whole->first + *box.first + (long)big.b[3] + *early - other;
        }
        printf("%d %d %g %g\n", level, table[1], own, box.d);
    }
    return sum + *at + many + size + plain;
}
int main(void)
{
    long r = work(5);
    printf("%ld %d %d %g %d\n", r, level, table[1], box.d, other);
    return 0;
}
