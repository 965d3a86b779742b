/* refused: what `freopen` redirects is not redirected after a restart | prog > file | open the file to append */
#include <stdio.h>

static int redirect(const char *mode)
{
    return freopen("o.txt", mode, stderr) == NULL;
}

int main(void)
{
    double x = 1;
    int i;
#pragma cccp init
#ifdef CURED
#pragma cccp execute on restart
    if (!freopen("o.txt", "a", stderr))
        return 1;
#pragma cccp end execute
#else
    if (redirect("w"))
        return 1;
#endif
#pragma cccp register(i, x)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        x = x * 1.5 + i;
        fprintf(stderr, "%g\n", x);
    }
    printf("%d\n", i);
#pragma cccp shutdown
    return 0;
}
