/* Types that are not what they seem. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct base { int kind; int *shared; };
struct derived { struct base base; int *own; };
struct pair { int *left, *right; };
struct link { struct link *next; };
struct node { int *value; struct link link; };

union word { int *pointer; long number; char bytes[8]; };

static int x, y, z;

static void *xmalloc(size_t size)
{
    void *block = malloc(size);
    if (!block)
        exit(1);
    return block;
}

static double **matrix(int rows, int columns)
{
    double **m = xmalloc(rows * sizeof *m);
    for (int i = 0; i < rows; i++)
        m[i] = xmalloc(columns * sizeof **m);
    return m;
}

static void copy_bytes(char *to, const char *from, int count)
{
    while (count-- > 0)
        *to++ = *from++;
}

static void bytes_are_zero(void *at, int count)
{
    char *p = at;
    for (int i = 0; i < count; i++)
        p[i] = 0;
}

#define container_of(at, type, member) ((type *)((char *)(at) - offsetof(type, member)))

int main(int argc, char **argv)
{
    struct derived d; /* should: single d.own */
    struct base *b = (struct base *)&d; /* must: b → d.base.kind */
    int *p, *q, *r;
    struct pair one, two, three;
    struct node *n = xmalloc(sizeof *n); /* must: n → heap@54[].value */
    struct link *l;
    struct node *again;
    union word w;
    uintptr_t tagged;
    double **u = matrix(3, 4), **v = matrix(3, 4), *row;
    int *table[3] = { &x, &y, 0 };
    int **walk;
    char *raw;
    void **slots;

    b->shared = &x; /* must: d.base.shared → x */ /* should: d.own ↛ x */
    d.own = &y;
    p = ((struct derived *)b)->own; /* must: p → y */ /* should: p ↛ x */

    one.left = &x;
    one.right = &y;
    copy_bytes((char *)&two, (char *)&one, sizeof two); /* must: two.left → x; two.right → y */
    memmove(&three, &one, sizeof one); /* must: three.left → x */ /* should: three.left ↛ y */
    bytes_are_zero(&one, sizeof one); /* should: one.left ↛ y */

    n->value = &z;
    l = &n->link; /* must: l → heap@54[].link.next */
    again = container_of(l, struct node, link); /* must: again → heap@54[].value */
    q = again->value; /* must: q → z */

    w.pointer = &x;
    tagged = w.number | 1;
    r = (int *)(tagged & ~(uintptr_t)1); /* must: r → x */ /* should: r ↛ y */

    u[0][1] = 1; /* must: u → heap@59>casts.c:27>casts.c:19#1[]; v → heap@59>casts.c:27>casts.c:19#2[]; row → heap@59>casts.c:29>casts.c:19#2[] */
    row = v[2]; /* should: row ↛ heap@59>casts.c:29>casts.c:19#1[]; v ↛ heap@59>casts.c:27>casts.c:19#1[] */

    for (walk = table; *walk; walk++) /* must: walk → table[] */
        x += **walk;

    raw = xmalloc(1000); /* must: raw → heap@90[] */
    slots = (void **)(raw + 16); /* must: slots → heap@90[] */
    slots[1] = &y;
    return *p + *q + *r + (int)*row + (slots[2] == 0);
}
