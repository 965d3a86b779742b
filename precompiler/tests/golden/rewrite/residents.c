#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
/* Static locals behind whose declarations nothing has to be executed, and others. */
struct shape { int corners; double at[3]; struct shape *next; };
enum { SIZE = 4 };
static long count(void)
{
    static long calls, last[2][SIZE];
#pragma cccp register(calls, last)
    calls++;
    last[0][calls % SIZE] += calls;
    return last[1][0];
}
static inline int variadic(int n, ...)
{
    static struct shape shapes[2];
#pragma cccp register(shapes)
    int i;
    va_list list;
    va_start(list, n);
    for (i = 0; i < n; i++) {
        static struct shape *head;
#pragma cccp register(follow(head))
        head = &shapes[i % 2];
        head->corners += va_arg(list, int);
    }
    va_end(list);
    return shapes[0].corners;
}
static double *both(int n, int m)
{
    static double *grown, *fixed;
#pragma cccp register(grown[])
    int size = n + 1;
#pragma cccp register(fixed)
    if (!grown)
        grown = calloc(size, sizeof *grown);
    fixed = grown;
    if (m) {
        static int twice;
#pragma cccp register(twice)
        twice++;
    } else {
        static int twice;
#pragma cccp register(twice)
        twice--;
    }
    return fixed;
}
static int ended(void)
{
    static int until;
#pragma cccp register(until)
    if (++until == 10) {
#pragma cccp unregister(until)
    }
    return until;
}
static int part(void)
{
    static int list[8], once;
#pragma cccp register(list[4])
#pragma cccp register(once)
    list[once++ % 4]++;
    return list[0];
}
static void work(int step)
{
    static int passes;
#pragma cccp register(passes)
    passes += (int)count();
#pragma cccp checkpoint
    passes += step;
    printf("%d %d %g %d %d\n", passes, variadic(2, step, 1), *both(step, step % 2), ended(), part());
}
int main(int argc, char **argv)
{
    static int total;
#pragma cccp init
#pragma cccp register(total)
    int step;
#pragma cccp register(step)
    for (step = 0; step < 9; step++) {
        work(step + argc);
        total += argv[0][0];
    }
    printf("%d\n", total);
#pragma cccp shutdown
    return 0;
}
