/* Statics that are registered right behind their declarations come back without a block: in functions that are called all
 * the time, inlined, recursive, variadic, called before init or only behind the checkpoint, in both files under the same
 * names. Nothing of them runs on a restart.
 * restarted at 3: nothing */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

long part_step(long value);
int *part_counter(void);

struct shape {
    int corners;
    double at[3];
    struct shape *next;
};

static double field[4] = {1, 2, 3, 4};

static __attribute__((noinline)) unsigned next(unsigned seed)
{
    static unsigned long calls;
    static unsigned last[3] = {7, 8, 9};
#pragma cccp register(calls, last)
    calls++;
    last[calls % 3] ^= seed;
    return seed * 1103515245u + 12345u + (unsigned)calls + last[(calls + 1) % 3];
}

static inline __attribute__((always_inline)) int inlined(int by)
{
    static int sum = 5;
#pragma cccp register(sum)
    sum += by;
    return sum;
}

static int depth(int n)
{
    static int deepest;
#pragma cccp register(deepest)
    if (n > deepest)
        deepest = n;
    return n > 0 ? depth(n - 1) : deepest;
}

static int add(int count, ...)
{
    static int all = 100;
#pragma cccp register(all)
    va_list list;
    va_start(list, count);
    while (count-- > 0)
        all += va_arg(list, int);
    va_end(list);
    return all;
}

static double *rotate(int step)
{
    static struct shape shapes[2] = {{3, {1, 2, 3}, 0}, {4, {4, 5, 6}, 0}};
    static struct shape *head;
    static double *into;
#pragma cccp register(shapes)
#pragma cccp register(head)
#pragma cccp register(into)
    if (!head) {
        head = &shapes[0];
        into = field;
    }
    head->next = &shapes[step % 2];
    head->at[step % 3] += step;
    head = head->next;
    into = &field[step % 4];
    *into += head->at[0] + head->corners;
    return into;
}

static int twice(int x)
{
    return 2 * x;
}

static int thrice(int x)
{
    return 3 * x;
}

/* Called for the first time behind the last checkpoint. */
static const char *late(void)
{
    static char text[16] = "never";
    static int (*apply)(int) = twice;
#pragma cccp register(text, apply)
    apply = apply == twice ? thrice : twice;
    snprintf(text, sizeof text, "%c%d", text[0], apply(4));
    return text;
}

static int inner(int step)
{
    int result = 0;
    for (int i = 0; i < 2; i++) {
        static int rounds;
#pragma cccp register(rounds)
        rounds += step;
        result += rounds;
        if (i) {
            static short more = 1;
#pragma cccp register(more)
            more = (short)(more * 3 + step);
            result += more;
        }
    }
    return result;
}

/* A function with blocks and with a static. */
static unsigned advance(unsigned seed, int step)
{
    static int passes;
#pragma cccp register(passes)
    passes++;
#pragma cccp checkpoint
    for (int i = 0; i < 1000; i++)
        seed = next(seed);
    return seed + (unsigned)passes + (unsigned)inlined(step);
}

int main(void)
{
    unsigned seed = 1;
    for (int i = 0; i < 5; i++)
        seed = next(seed) + (unsigned)inlined(i) + (unsigned)depth(i % 3);
#pragma cccp init
    int step;
    int *counter = part_counter();
#pragma cccp register(seed, step, field, counter)
    for (step = 0; step < 6; step++) {
        seed = advance(seed, step);
        seed += (unsigned)(inlined(step) + depth(step) + add(2, step, 3) + inner(step));
        seed += (unsigned)part_step(step) + (unsigned)*counter;
        double *into = rotate(step);
        printf("%d %u %g %d\n", step, seed, *into, *counter);
    }
    printf("%s", late());
    printf(" %s %u %d\n", late(), next(seed), depth(0));
#pragma cccp shutdown
    return 0;
}
