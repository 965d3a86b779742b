/* Calls, functions as values, variable arguments. */
#include <stdarg.h>

typedef double function(double);
double sine(double x) { return x; }
extern double cosine(double);
struct table { function *entry; double (*other[2])(double); } jump = { sine, { cosine, &sine } };
static int counter;

double calls(function *given, struct table *t)
{
    double sum = given(1) + (*given)(2) + t->entry(3) + t->other[1](4);
    function *mine = counter ? sine : cosine;
    sum += (*sine)(5) + (&sine)(6) + mine(7);
    return sum + undeclared(counter);
}

int total(int count, ...)
{
    va_list list, again;
    int sum = 0;
    va_start(list, count);
    va_copy(again, list);
    while (count--)
        sum += va_arg(list, int);
    sum += *va_arg(again, int *);
    va_end(again);
    va_end(list);
    return sum;
}

int builtins(int *p, int n)
{
    if (__builtin_expect(n > 0, 1))
        __builtin_memcpy(p, &n, sizeof n);
    return __builtin_constant_p(n) + (int)__builtin_object_size(p, 0);
}

int old(a, b)
    int *a;
    float b;
{
    return *a + b;
}
