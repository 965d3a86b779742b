// hand resumes 7
// auto resumes 7
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static volatile sig_atomic_t seen;
static void count(int number)
{
    seen += number == SIGWINCH;
}
int main(void)
{
    long sum = 0;
    int i;
#pragma cccp init
    signal(SIGWINCH, count);
    setenv("CCCP_TEST_PACE", "3", 1);
    for (i = 0; i < 20; i++) {
#pragma cccp register(sum, seen, i)
#pragma cccp checkpoint
        raise(SIGWINCH);
        sum = sum * atoi(getenv("CCCP_TEST_PACE")) + seen;
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
