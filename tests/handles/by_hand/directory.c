/* refused: how far what `opendir` opens is read or written is lost in a restart | every start opens it again
   | open it behind a checkpoint and close it before the next */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

struct place {
    DIR *directory;
};

static int name_of(struct place *at)
{
    struct dirent *one = readdir(at->directory);
    return one ? one->d_name[0] : 0;
}

int main(void)
{
    int step;
    long sum = 0;
    struct place root = {NULL};
#ifndef CURED
    root.directory = opendir("/");
#endif
#pragma cccp init
#pragma cccp register(step, sum)
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint
#ifdef CURED
        root.directory = opendir("/");
        for (int read = 0; read < step; read++)
            name_of(&root);
#endif
        sum = sum * 3 + name_of(&root);
#ifdef CURED
        closedir(root.directory);
#endif
    }
    printf("%ld\n", sum);
#pragma cccp shutdown
    return 0;
}
