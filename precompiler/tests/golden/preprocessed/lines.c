/* s03: what is left after preprocessing: C and pragmas. */
#include "included_types.h"
#define TWICE(x) ((x) + (x))
#if 0
#pragma cccp checkpoint
#endif
#line 500 "generated.y"
int f(length n)
{
    #pragma cccp client(f)
    #pragma GCC ivdep
    for (int i = 0; i < TWICE(n); i++)
        ;
    return __LINE__;
}
