#include <omp.h>

static unsigned long state;
#pragma omp threadprivate(state)

void start(unsigned long seed)
{
    state = seed + omp_get_thread_num();
}

double draw(void)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(state >> 11) / 9007199254740992.0;
}
