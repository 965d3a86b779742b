/* What the environment says is asked for in conditions, one behind the other: what is asked again lies in what is asked again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *name;
    double sum = 0;
    if ((name = getenv("NO_SUCH_NAME")) != NULL && strlen(name) > 3)
        ;
    else if ((name = getenv("NOR_THIS_ONE")) != NULL && name[0] != 'x')
        ;
    else {
        if ((name = getenv("PATH")) == NULL)
            name = getenv("HOME");
    }
    for (int step = 0; step < 300; step++) {
        for (int i = 0; i < 1000; i++)
            sum = 0.5 * sum + i * step;
        sum += name != NULL && name[0] == '/';
    }
    printf("%.17g %d\n", sum, name != NULL);
    return 0;
}
