/* Types of the program that are called like handles of libraries are numbers all the same. */
#include <stdio.h>

typedef enum { UP, DOWN } DIR;
typedef double hid_t;
typedef int *locale_t;

int main(void)
{
    int last[2] = { 0, 1 };
    DIR direction = UP;
    hid_t sum = 0;
    locale_t where = last;
    for (int i = 0; i < 12; i++) {
        direction = direction == UP ? DOWN : UP;
        sum = sum * 0.5 + direction + *where;
        where = &last[i % 2];
    }
    printf("%d %.17g %d\n", direction, sum, *where);
    return 0;
}
