// hand resumes 7
// assumes what `timerfd_create` starts changes nothing that a checkpoint holds while it is taken, and runs again after a restart
/* A timer behind a descriptor: nothing reads it, but it rests on that. */
#include <stdio.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
    long sum = 0;
    int i;
#pragma cccp init
    close(timerfd_create(0, 0));
    for (i = 0; i < 20; i++) {
#pragma cccp register(sum, i)
#pragma cccp checkpoint
        sum = sum * 3 + i;
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
