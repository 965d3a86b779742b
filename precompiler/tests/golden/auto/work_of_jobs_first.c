/* What does the work of a job comes before other loops of which nobody knows whether they do much, however many these are. */
#include <stdio.h>

static double large[1000], small[10], last[10];

static void part0(double rest)
{
    while (rest > 1) {
        rest *= 0.75;
        for (int k = 0; k < 10; k++)
            small[k] += rest;
    }
}

static void part1(double rest)
{
    while (rest > 1) {
        rest *= 0.75;
        for (int k = 0; k < 10; k++)
            small[k] += rest;
    }
}

static void part2(double rest)
{
    while (rest > 1) {
        rest *= 0.75;
        for (int k = 0; k < 10; k++)
            small[k] += rest;
    }
}

static void part3(double rest)
{
    while (rest > 1) {
        rest *= 0.75;
        for (int k = 0; k < 10; k++)
            small[k] += rest;
    }
}

static void part4(double rest)
{
    while (rest > 1) {
        rest *= 0.75;
        for (int k = 0; k < 10; k++)
            small[k] += rest;
    }
}

static void part5(double rest)
{
    while (rest > 1) {
        rest *= 0.75;
        for (int k = 0; k < 10; k++)
            small[k] += rest;
    }
}

static void part6(double rest)
{
    while (rest > 1) {
        rest *= 0.75;
        for (int k = 0; k < 10; k++)
            small[k] += rest;
    }
}

static void part7(double rest)
{
    while (rest > 1) {
        rest *= 0.75;
        for (int k = 0; k < 10; k++)
            small[k] += rest;
    }
}

static void part8(double rest)
{
    while (rest > 1) {
        rest *= 0.75;
        for (int k = 0; k < 10; k++)
            small[k] += rest;
    }
}

int main(void)
{
    int which, sets;
    double sum = 0;
    part0(last[0]);
    part1(last[1]);
    part2(last[2]);
    part3(last[3]);
    part4(last[4]);
    part5(last[5]);
    part6(last[6]);
    part7(last[7]);
    part8(last[8]);
    while (scanf("%d %d", &which, &sets) == 2) { /* before: checkpoint */
        for (int set = 0; set < sets; set++) { /* before: checkpoint */
            for (int k = 0; k < 1000; k++)
                sum += large[k] = large[k] * 0.5 + which;
        }
    }
    printf("%g %g\n", sum, small[3]);
    return 0;
}
