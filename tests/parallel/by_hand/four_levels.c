/* More teams of several threads inside of each other than the library tells apart. */
#include <omp.h>
#include <stdio.h>
static int passed;
static void deeper(int levels)
{
#pragma cccp register(levels)
#pragma omp parallel num_threads(2)
    {
        if (levels > 1)
            deeper(levels - 1);
#pragma cccp checkpoint
#pragma omp atomic
        passed++;
    }
}
int main(void)
{
    omp_set_max_active_levels(9);
#pragma cccp init
#pragma cccp register(passed)
    deeper(4);
    printf("%d\n", passed);
#pragma cccp shutdown
    return 0;
}
