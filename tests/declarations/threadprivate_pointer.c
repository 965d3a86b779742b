/* refused: cannot restore `kept` | each thread has its own */
#include <stdio.h>

static long kept;
#pragma omp threadprivate(kept)

static long more(long i)
{
    kept += i;
    return kept;
}

#if defined IN_TABLE
static const struct { const char *name; long (*work)(long); } table[] = {{"more", more}};
#define CALL(i) table[0].work(i)
#elif defined DEEP
static long (*work)(long);
static long apply(long i) { return (*work)(i) + 1; }
#define CALL(i) apply(i)
#else
static long (*work)(long);
#define CALL(i) work(i)
#endif

int main(void)
{
    long total = 0;
#ifndef IN_TABLE
    work = more;
#endif
    for (long i = 0; i < 12; i++) {
        long part = 0;
#pragma omp parallel num_threads(2) reduction(+ : part)
        part += CALL(i);
        total += part;
    }
    printf("%ld\n", total);
    return 0;
}
