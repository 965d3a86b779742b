/* refused: a place in a database of the system | it is set before the checkpoint and read after it (line 14), and lies in a library */
#include <pwd.h>
#include <stdio.h>
#include <string.h>

/* The struct lies in the library, and so do the texts to which it points. */
int main(void)
{
    const char *home = getpwuid(0)->pw_dir;
    double sum = 0;
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < 1000; i++)
            sum = sum * 0.5 + i + step;
        sum += strlen(home);
    }
    printf("%.17g\n", sum);
    return 0;
}
