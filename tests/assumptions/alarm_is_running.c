// auto resumes 7 20
// hand resumes 7 20
/* An alarm that is hours away, set in a helper and read back. */
#include <stdio.h>
#include <unistd.h>

static void guard(unsigned hours) { alarm(hours * 3600); }

int main(void)
{
    long sum = 0;
    int i;
#pragma cccp init
    guard(20);
    for (i = 0; i < 20; i++) {
#pragma cccp register(sum, i)
#pragma cccp checkpoint
        sum = sum * 3 + i;
    }
    printf("%ld %d\n", sum, alarm(0) > 3600);
#pragma cccp shutdown
    return 0;
}
