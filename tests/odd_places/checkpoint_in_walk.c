/* The library walks a directory; the function goes there through a helper, a typedef and a macro.
   refused: `nftw` calls `visit`, and is not precompiled */
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdio.h>

typedef int visitor(const char *, const struct stat *, int, struct FTW *);
#define DEPTH 8
#define WALK(with) nftw(".", (with), DEPTH, FTW_PHYS)

static int files;

static void note(void)
{
    files++;
#pragma cccp checkpoint
}

static int visit(const char *path, const struct stat *about, int flag, struct FTW *at)
{
    (void)path; (void)about; (void)flag; (void)at;
    note();
    return 0;
}

static void walk(visitor *with)
{
    WALK(with);
}

int main(void)
{
#pragma cccp init
#pragma cccp register(files)
    walk(visit);
    printf("%d\n", files > 0);
#pragma cccp shutdown
    return 0;
}
