/* Macros with the names of functions, members, variables, parameters and keywords that generated code says. */
#include <stdio.h>

static struct {
    long sum, rest;
} state;
static long tail;

static long step(long x, int line)
{
#pragma cccp checkpoint
    return (x * 3 + (line > 20)) % 1001;
}

static long twice(long x)
{
#pragma cccp checkpoint
    return x * 2 % 1009;
}

/* Each would be expanded a second time in the text of a call that was moved. */
#define step(x) step((x) + 1, LINE)
#define LINE 22
#define twice(x) (tail++, twice(x))
#define sum state.sum
#define rest (state.rest)
#define CHAIN(x) twice(step(x))

static long walk(long n)
{
#define n (n + 0)
#define static extern
    long total = 0;
#define total total
    int i;
#pragma cccp register(total, i)
    for (i = 0; i < 3; i++)
        total += step(n) + CHAIN(i);
#undef static
#undef total
#undef n
    return total;
}
#define walk(n) walk(walk(n) % 7)

/* Two loops of one macro: the inner one begins nowhere in this text, and ends where the outer one does. */
#define LOOPS(n) for (i = 0; i < (n); i++) for (j = 0; j < (n); j++)
static long grid(void)
{
    int i, j;
    long found = 0;
#pragma cccp register(i, j, found)
    LOOPS(2) {
        found = found * 5 % 1000 + step(i - j);
    }
    return found;
}

int main(void)
{
#pragma cccp init
    int i;
#pragma cccp register(state.sum, state.rest, tail, i)
    for (i = 0; i < 3; i++) {
        sum = sum * 3 % 1000 + walk(i) + grid();
        if (step(sum) > 100 && twice(rest) < 2000)
            rest += step(sum), rest %= 1000;
    }
    printf("%ld %ld %ld\n", sum, rest, tail);
#pragma cccp shutdown
    return 0;
}
