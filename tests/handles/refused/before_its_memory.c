/* refused: cannot restore `u` | cannot restore `all.v` | it points before the memory that it belongs to */
#include <stdio.h>
#include <stdlib.h>

typedef double *vector;

struct vectors { vector v; };

static vector from_one(int n)
{
    vector v = malloc(n * sizeof *v);
    return v - 1;
}

static vector from(int low, int high)
{
    double *v = (double *)malloc((high - low + 1) * sizeof(double));
    v -= low;
    return v;
}

int main(void)
{
    int n = 9;
    vector u = from_one(n);
    struct vectors all = { from(7, 6 + n) };
    for (int k = 1; k <= n; k++)
        u[k] = all.v[6 + k] = k;
    for (int i = 0; i < 12; i++)
        for (int k = 1; k <= n; k++) {
            u[k] += i * 0.5;
            all.v[6 + k] += u[k];
        }
    printf("%g %g\n", u[n], all.v[6 + n]);
    return 0;
}
