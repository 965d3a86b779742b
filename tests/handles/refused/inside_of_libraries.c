/* refused: cannot restore what `path` points to | a library allocates it for itself, in line 11 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

/* What a library has allocated holds pointers to more that it has allocated: they are no better than those that it gives. */
int main(void)
{
    double sum = 0;
    glob_t found;
    if (glob("/etc/host*", 0, NULL, &found) != 0)
        return 1;
    const char *path = found.gl_pathv[0];
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < 1000; i++)
            sum = sum * 0.5 + i + step;
        sum += strlen(path);
    }
    printf("%.17g\n", sum);
    return 0;
}
