/* What a block reads has a register before it that comes again behind the block, in a later pass: a restart executes the block of the
   pass before, and then the register. A register outside of the loop has it for good, and so has one after which the block comes
   again before each checkpoint. */
#include <stdio.h>

static double x[4], y[4], z[4], a, b, c, d, e;

static double of(const double *p) { return p[0] + p[3]; }

static void pass(int i)
{
    for (int k = 0; k < 4; k++)
        x[k] += i + k;
#pragma cccp register(x, y)
#pragma cccp checkpoint
    d += a + b + c + e;
#pragma cccp execute on restart
    a = of(x);
#pragma cccp end execute
    /* This one has been registered before the loop. */
#pragma cccp execute on restart
    b = of(y);
#pragma cccp end execute
}

int main(void)
{
    double w[4] = { 0 };
#pragma cccp init
    w[1] = y[0] = getchar();
#pragma cccp register(y, d, w)
    for (int i = 0; i < 12; i++) {
        w[0] += i;
        /* The block comes before each checkpoint that follows. */
#pragma cccp register(i, z)
#pragma cccp execute on restart
        c = of(z);
#pragma cccp end execute
        z[i % 4] = i;
        pass(i);
#pragma cccp register(w)
#pragma cccp checkpoint
#pragma cccp execute on restart
        e = of(w);
#pragma cccp end execute
    }
    printf("%g %g\n", d, w[0]);
    return 0;
}
