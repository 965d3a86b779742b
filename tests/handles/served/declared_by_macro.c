/* served: a macro declares what a checkpoint needs: the macro is written out */
#include <stdio.h>
#include <stdlib.h>

static int tests, fails;
static double sum;

#define run(name, test) do {\
    const int before = tests;\
    const int failed = fails;\
    printf("%-14s", name);\
    test();\
    printf("pass:%2d fail:%2d\n", (tests - before) - (fails - failed), fails - failed);\
} while (0)

static void small(void)
{
    sum = 1;
    tests++;
}

static void large(void)
{
    for (int i = 0; i < 16; i++) {
        for (int k = 1; k < 1000; k++)
            sum += 1.0 / (k + sum);
        tests++;
        if (i % 5 == 3)
            fails++;
    }
}

int main(void)
{
    run("small", small);
    run("large", large);
    printf("%.17g\n", sum);
    return 0;
}
