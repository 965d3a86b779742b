// hand resumes 7
// assumes no other process changes the memory that `mmap` gives access to
#include <stdio.h>
#include <sys/mman.h>
int main(void)
{
    long sum = 0;
    int i;
    int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#pragma cccp init
    for (i = 0; i < 20; i++) {
#pragma cccp register(sum, i)
#pragma cccp checkpoint
        sum = sum * 3 + i;
    }
    printf("%ld %d\n", sum, shared != NULL);
#pragma cccp shutdown
    return 0;
}
