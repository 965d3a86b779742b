#include <stdio.h>
#include <time.h>
void date(long seconds)
{
    time_t at = seconds;
    printf("%.3s\n", ctime(&at));
}
