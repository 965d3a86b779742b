/* refused: `d` cannot be saved | `listing`, which is `DIR *` | execute on restart | line 18 */
#include <dirent.h>
#include <stdio.h>

typedef DIR *listing;

int main(void)
{
    listing d;
    long sum = 0;
    int i;
#pragma cccp init
#ifdef CURED
#pragma cccp execute on restart
    d = opendir("/");
#pragma cccp end execute
#else
    d = opendir("/");
#pragma cccp register(d)
#endif
#pragma cccp register(i, sum)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        rewinddir(d);
        sum = sum * 3 + (readdir(d) != NULL);
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
