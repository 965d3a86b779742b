/* Inline assembly that only puts accesses into an order. */
#include <stdio.h>

int named;

int main(int argc, char **argv)
{
    named = argc;
    /* should: named dead */
#pragma cccp checkpoint
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("mfence\n\t" : : : "memory");
    named = 1;
    printf("%d\n", named);
    return 0;
}
