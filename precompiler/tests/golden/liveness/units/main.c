/* Variables with external linkage are the same in all units. */
#include <stdio.h>

extern int shared, written, hidden_user(void);
void advance(int steps);
int result(void);
static int hidden = 4;

int main(int argc, char **argv)
{
    int local = argc;
    shared = argc;
    written = argc;
    hidden = argc;
    advance(argc);
    printf("%d %d %d\n", result(), local, hidden);
    return 0;
}
