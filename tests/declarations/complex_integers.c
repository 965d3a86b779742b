/* Complex integers, an extension of GNU C: variables, members, arrays, behind pointers, parameters and results. */
#include <stdio.h>
typedef _Complex int ci;
struct s { unsigned a; _Complex int b; _Complex short c[2]; unsigned char _Complex d; };
static struct s g = {1, 0, {0, 0}, 0};
static _Complex long gl; static _Complex long long *p; static _Complex unsigned arr[3];
static ci step(ci z, int i) { ci r = z; __real__ r += i; __imag__ r -= 2 * i; return r; }
static unsigned long long _Complex ull;
static _Complex float cf; static _Complex signed char sc;
int main(void)
{
    ci z = 3;
    _Complex long long local[4] = {0};
    p = &local[1];
    for (int i = 0; i < 60; i++) {
        z = step(z, i);
        g.a += i; __real__ g.b += g.a; __imag__ g.c[i % 2] += i; __real__ g.d += i;
        gl += z; *p += i * 1i; arr[i % 3] += i; ull = ~ull + i; cf += z; sc += i;
    }
    printf("%u %d %d %d %d %d %ld %ld %lld %lld %u %llu %g %g %d %d %d\n", g.a, __real__ g.b, __imag__ g.b, __imag__ g.c[1], __real__ g.c[0], __real__ g.d,
      __real__ gl, __imag__ gl, __real__ local[1], __imag__ *p, __real__ arr[2], __imag__ ull, __real__ cf, __imag__ cf, __real__ z, __imag__ z, __real__ sc);
    return 0;
}
