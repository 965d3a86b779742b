/* s01: a directive in an included file. */
int main(void)
{
    #pragma cccp init
    #include "included.h"
    return 0;
}
