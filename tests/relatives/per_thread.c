/* Variables of a thread: a struct behind a typedef, a macro, a union, functions in them, and one of another file. */
#include <stdio.h>
#include <string.h>
typedef struct grid { int n; struct { double v[4]; long k; } in; } grid;
#define PER_THREAD __thread
static PER_THREAD grid g;
extern _Thread_local long table[3];
_Thread_local static union { double d; long l; } u;
static grid *where(void) { return &g; }
static void set(grid *p, int i) { p->in.v[i & 3] += i; p->in.k ^= i * 7; }
struct op { void (*f)(grid *, int); };
static __thread struct op op = { set };
long other(int);
static void set2(grid *p, int i) { p->n += i; }
static long deep(int n) { static _Thread_local int depth[5]; depth[n % 5]++; return n ? deep(n - 1) + depth[n % 5] : depth[0]; }
int main(void)
{
    long s = 0;
    for (int i = 0; i < 30; i++) {
        op.f(where(), i);
        if (i % 4 == 0) op.f = i % 8 ? set : set2;
        table[i % 3] += other(i);
        u.d += i * 0.5;
        memcpy(&table[0], &table[1], sizeof(long));
        s += deep(i % 6) + g.in.k + g.n + table[0];
    }
    printf("%ld %g %ld %g\n", s, g.in.v[2], table[2], u.d);
    return 0;
}
