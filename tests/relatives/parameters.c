/* Parameters, members and locals with the names of functions. */
#include <math.h>
#include <stdio.h>
typedef double fun(double);
typedef struct { fun *f; double a; } problem;
static double f(double x) { return x * x; }
static double g(double x) { return f(x) + 1; }
static double apply(problem p, fun f, long n, double (*g)(fun *, double))
{
    double sum = 0;
    struct { fun *apply; } table = { f };
    for (long i = 0; i < n; i++) {
        double printf = p.f(i * 0.1) + f(i) + g(f, i) + table.apply(i);
        sum += printf;
        if (i % 2) { long g = i; sum += g; }
    }
    return sum;
}
static double through(fun *g, double f) { return g(f) * 2; }
extern double later(double (*later)(double), double);
int main(void)
{
    double (*sqrt)(double) = fabs;
    double main_ = apply((problem){g, 2}, f, 30, through);
    printf("%.17g %g %g\n", main_, sqrt(-3), later(f, 3));
    return 0;
}
double later(double (*f)(double), double main) { return f(main); }
