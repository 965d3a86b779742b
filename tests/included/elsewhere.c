/* What is included says something else where it does not stand in a file of its own. */
#include "sub/level.c"

int main(void)
{
#pragma cccp init
    work();
#pragma cccp shutdown
    return 0;
}
