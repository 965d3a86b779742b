/* refused: cannot restore `d` | it is a handle of a library | execute on restart */
#include <dirent.h>
#include <stdio.h>

typedef struct __dirstream listing;

int main(void)
{
    listing *d = opendir("/");
    struct dirent *entry;
    unsigned long sum = 5381;
    while ((entry = readdir(d)) != NULL)
        for (const char *at = entry->d_name; *at; at++)
            sum = sum * 33 + *at;
    printf("%lu\n", sum);
    closedir(d);
    return 0;
}
