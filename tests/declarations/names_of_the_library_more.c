/* A static function keeps its name. */
#include <stdio.h>

int signal = 3;

static int read(double x) { return x > 70; }

int write(const char *what, const double *a, int n)
{
    printf("%s: %s %.17g\n", __func__, what, a[n - 1]);
    return 0;
}

double round(double x) { return x + 0.25; }

double smooth(double *a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += read(a[i]) ? a[i] : 1;
    return sum / n;
}
