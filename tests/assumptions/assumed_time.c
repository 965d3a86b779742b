// auto resumes 7
// assumes results do not depend on what `time` gives
// assumes nothing outside of the program changes `level`, which is volatile
#include <stdio.h>
#include <time.h>
static volatile int level = 3;
int main(void)
{
    long sum = 0;
    time_t begun = time(NULL);
    for (int i = 0; i < 20; i++)
        sum = sum * 3 + i * level + (begun == 0);
    printf("%ld\n", sum);
    return 0;
}
