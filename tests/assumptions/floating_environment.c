// flags -lm
// auto resumes 7 20
// hand resumes 7 20
/* How the machine rounds, what it has raised, and that it flushes tiny numbers to zero, set in helpers. */
#include <fenv.h>
#include <stdio.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
static void flush(void) { _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON); }
#else
static void flush(void) { }
#endif

static void begin(void)
{
    volatile double zero = 0;
    volatile double infinite;
    fesetround(FE_UPWARD);
    flush();
    feclearexcept(FE_ALL_EXCEPT);
    infinite = 1 / zero;
    (void)infinite;
}

int main(void)
{
    volatile double three = 3, tiny = 1e-300;
    double sum = 0;
    int i;
#pragma cccp init
    begin();
    for (i = 0; i < 20; i++) {
#pragma cccp register(sum, i, three, tiny)
#pragma cccp checkpoint
        sum += i / three;
    }
    printf("%a %a\n", sum, tiny * 1e-10);
    printf("%d %d\n", fegetround() == FE_UPWARD, fetestexcept(FE_DIVBYZERO | FE_INVALID) == FE_DIVBYZERO);
#pragma cccp shutdown
    return 0;
}
