// hand resumes 7
// assumes what `setlocale` sets in its library is not needed after a restart
#include <locale.h>
#include <stdio.h>
int main(void)
{
    long sum = 0;
    int i;
#pragma cccp init
    setlocale(LC_NUMERIC, "C");
    for (i = 0; i < 20; i++) {
#pragma cccp register(sum, i)
#pragma cccp checkpoint
        sum = sum * 3 + i;
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
