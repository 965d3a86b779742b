/* The arguments of `main` are read behind the run, which is in another function.
   restarts */
#include <stdio.h>
#include <string.h>

static void run(int n)
{
    double x = 0;
    int i;
#pragma cccp init
#pragma cccp register(x, i)
    for (i = 0; i < 10; i++) {
#pragma cccp checkpoint
        x += n * i;
    }
#pragma cccp shutdown
    printf("%g\n", x);
}

int main(int argc, char **argv)
{
    run(argc + 3);
    printf("%d\n", argv[argc] == NULL && strlen(argv[0]) > 0);
    return 0;
}
