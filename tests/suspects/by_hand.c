/* CURED: the hash of an address is computed again in a restart; else it is registered, and the check says so. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
static unsigned hash(void *p)
{
    return (unsigned)(((uintptr_t)p >> 4) * 2654435761u) % 64;
}

int main(int argc, char **argv)
{
#pragma cccp init
    double *v = malloc(10 * sizeof *v), s = 0;
    int it = 0, bad = 0;
    unsigned key = hash(v);
    for (int i = 0; i < 10; i++)
        v[i] = i;
#pragma cccp register(s, it, bad, v[10])
#ifdef CURED
#pragma cccp execute on restart
    key = hash(v);
#pragma cccp end execute
#else
#pragma cccp register(key)
#endif
    for (it = 0; it < 20; it++) {
#pragma cccp checkpoint every(1)
        if (key != hash(v))
            bad++;
        s += v[it % 10]++;
    }
    printf("%d %g\n", bad, s);
#pragma cccp shutdown
    return 0;
}
