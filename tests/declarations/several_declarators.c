/* Declarations of several variables in which each value is computed on the way to a checkpoint, and some lead to others. */
#include <stdio.h>
#include <stdlib.h>

struct pair {
    double a, b;
};

static double sum;

static double solve(double x)
{
    for (int i = 0; i < 12; i++) {
        sum += x + i * 0.5;
        for (int j = 0; j < 40; j++)
            sum = sum * 0.999 + j;
    }
    return sum;
}

static struct pair both(double x)
{
    struct pair result = {solve(x), x};
    return result;
}

static double *row(double x)
{
    double *found = malloc(2 * sizeof *found);
    if (!found)
        abort();
    found[0] = x;
    found[1] = solve(x);
    return found;
}

int main(void)
{
    int a = (int)solve(1), b = (int)solve(2),
        c = a;
    const double w = solve(b), x = a, *p = &x, y = solve(a) + *p + w;
    struct pair first = both(y), second = both(first.a);
    double *u = row(3), *v = row(u[1]), last[2] = {solve(u[0]), v[1]};
    printf("%d %d %d %.17g %.17g %.17g %.17g\n", a, b, c, y, first.a + second.b, u[1] + v[0] + last[0], sum);
    return 0;
}
