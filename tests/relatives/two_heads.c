/* A loop with two heads, of which the preprocessor chooses one, and one body: the `#endif` stands between them (S3). */
#include <stdio.h>
#include <stdlib.h>

static double work(double x, int n)
{
    for (int i = 0; i < n; i++)
        x = x * 0.999 + 1.0 / (i + 1);
    return x;
}

int main(int argc, char **argv)
{
    double x = 1;
    int files = argc > 1 ? atoi(argv[1]) : 4, file, tree;
#ifdef SHARED_OUT
    for (file = 1; file <= files;
         file += 2)
#else
    /* all, one after the other */
    for (file = 0; file <= files; file++)
#endif
    {
        tree = 0;
#ifdef SHARED_OUT
        while (tree < 10)
#else
        while (tree <
#define LAST 3
               LAST)
#endif
        {
            x = work(x, 1000 * (tree + LAST));
            tree++;
        }
        printf("%d %.17g\n", file, x);
    }
    return 0;
}
