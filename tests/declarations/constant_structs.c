/* Structs and arrays that are `const` and get what is computed: locals, parameters, members that are `const` themselves. */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double *cells;
    int n;
} row;

typedef struct {
    const int first;
    double shares[3];
} part;

static row make(const int n)
{
    const row made = {malloc(n * sizeof(double)), n};
    for (int i = 0; i < n; i++)
        made.cells[i] = i * 0.5;
    return made;
}

static double run(row const own, const int steps)
{
    const part some = {own.n % 3, {own.cells[1], 2.5, own.n}}, *const where = &some;
    double total = 0;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < own.n; i++)
            total += own.cells[i] += where->shares[step % 3] * 1e-3;
        if (step % 5 == some.first)
            total *= 0.75;
    }
    return total;
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 40;
    const row own = make(steps / 2);
    const double factors[2] = {steps * 0.25, own.cells[steps % 7]};
    double total = 0;
    for (int round = 0; round < 10; round++)
        total = total * factors[round & 1] + run(own, steps + round);
    printf("%.17g %d\n", total, own.n);
    free(own.cells);
    return 0;
}
