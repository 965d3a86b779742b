/* Goes to another directory behind init, and writes there. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    long i;
#pragma cccp init
    mkdir("sub", 0755);
    if (chdir("sub") != 0)
        return 1;
#pragma cccp register(i)
    for (i = 0; i < 10; i++) {
#pragma cccp checkpoint
        FILE *f = fopen("log.txt", "a");
        if (f == NULL)
            return 2;
        fprintf(f, "%ld\n", i);
        fclose(f);
    }
#pragma cccp shutdown
    return 0;
}
