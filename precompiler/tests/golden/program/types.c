/* s15: all sorts of types. */
#include <stddef.h>
#include <stdint.h>
#include <complex.h>
#include <stdbool.h>
typedef struct node { struct node *next; union { int i; double d; }; unsigned a : 3, : 5, b : 8; char tail[]; } node;
typedef enum { A = 1 << 3, B, C = -1 } letter;
enum big { BIG = 0xffffffff };
static const char *const words[] = {"a", "b"};
static char text[] = "hello";
static int designated[] = {[3] = 1, 2};
typedef int (*operation)(int, const double *);
static int add(int a, const double *b) { return a + (int)*b; }
static operation table[2] = {add};
static void *volatile where;
double sum(int n, double a[n][2 * n], int (*f)(int));
double sum(int n, double a[n][2 * n], int (*f)(int))
{
    double s = 0;
    float complex z = 1.0f + 2.0f * I;
    bool ok = true;
    uint8_t small = 1;
    int64_t large = 1;
    size_t size = sizeof(node) + offsetof(node, d);
    node first = {0}, *p = &first;
    double (*row)[2 * n] = a;
    static struct { int x[2][3]; } anonymous;
    struct local { letter l; } local = {A};
    double vla[n + 1];
    char buffer[sizeof(double) * 4];
    const int limit = 10;
    register int fast = 0;
    __auto_type guess = small + 1L;
    __extension__ __int128 huge = 1;
    vla[0] = row[1][2];
    p->next->i = (small << 2) + anonymous.x[1][2];
    s += vla[n] * (ok ? n : 1.5f) + *a[1] + (z == 0) + (p - &first) + f(add(1, &s));
    s = (letter)B + local.l + BIG + 'c' + 1u + 2147483648 + 0x80000000 + 1.5L;
    fast = table[0](1, vla) + (*table)(2, vla) + (p ? p->a : -1) + !size;
    where = words[0] ? (void *)words : NULL;
    return (large += 1, s) + buffer[0] + limit + guess + (double)huge + designated[0] + text[1];
}
int old(a, b)
    int a;
    double b[];
{
    return a + b[0];
}
