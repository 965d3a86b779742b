/* A function that nobody knows reads what it can reach, and overwrites nothing. */
#include <stdio.h>

void mystery(int *reached);
extern int exported;
static int own = 4, not_reached = 5, callback_reads = 6;

void called_from_outside(void)
{
    printf("%d\n", callback_reads);
}

int main(int argc, char **argv)
{
    int handed = argc, not_handed = argc;
    own = exported = argc;
    not_reached = argc;
    callback_reads = argc;
    /* must: handed live, exported live, callback_reads live, own live; should: not_reached dead, not_handed dead */
#pragma cccp checkpoint
    mystery(&handed);
    not_handed = own;
    not_reached = own;
    return not_reached + not_handed;
}
