/* Locals that have no value at the checkpoint: declared behind it where only `longjmp` leads back, or in an expression that
   is a statement. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;
static int table[4] = { 1, 2, 3, 4 };

/* Nobody calls it. */
void far(void)
{
    longjmp(env, 1);
}

static void leave(int depth)
{
    table[depth & 3] += 2;
#pragma cccp checkpoint
}

static int work(int depth)
{
    static int calls = 7;
    if (setjmp(env)) { /* before: register(calls) */
        table[1] = 0;
        return calls;
    }
#pragma cccp checkpoint
    calls++;
    table[2] += ({ int inner = table[1] + depth; if (inner & 1) inner += 3; inner; });
    int i = 0;
    do {
        leave(depth + i);
        table[1] += calls;
    } while (++i < 2);
    return table[2];
}

int main(void)
{
#pragma cccp init
    int sum = 0;
    for (int k = 0; k < 6; k++)
        sum += work(k);
    printf("%d %d %d\n", sum, table[1], table[2]);
#pragma cccp shutdown
    return 0;
}
