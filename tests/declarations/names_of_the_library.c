/* Functions and variables of the program that have names of POSIX, which the C library never notices. */
#include <stdio.h>
#include <stdlib.h>

int write(const char *what, const double *a, int n);
double smooth(double *a, int n);
double round(double);
extern int signal;

struct device { int (*read)(const char *, double *, int); int open; };

int read(const char *name, double *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i + name[0];
    return n;
}

double open = 1.5;
int kill[4];

int
poll(list, n)
    int *list, n;
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += list[i];
    return sum;
}

/* What a macro or an included file defines is renamed in another way. */
#define DEFINE(name) double name(int step)
DEFINE(close)
{
    return step / 7.0;
}

int main(void)
{
    double a[64];
    struct device device = { read, 3 };
    device.read("x", a, 64);
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < 64; i++)
            a[i] = a[i] * 0.99 + open * device.open;
        kill[step % 4] += signal;
        a[step] += smooth(a, 64) + close(step) + round(2.5);
    }
    write("end", a, 64);
    printf("%d\n", poll(kill, 4));
    return 0;
}
