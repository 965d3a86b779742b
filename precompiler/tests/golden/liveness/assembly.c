/* Inline assembly that says it changes memory does so with all that it may know by name. */
#include <stdio.h>

int named, written;
static int *kept;
static void wait(void)
{
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("mfence\n\t" : : : "memory");
}

int main(int argc, char **argv)
{
    static int inner;
    int local = argc, behind = argc;
    named = inner = argc;
    written = argc;
    kept = &behind;
    wait();
    /* must: named live, inner live, kept live, behind live */
    /* should: local dead, written dead */
#pragma cccp checkpoint
    local = 1;
    written = argc;
    __asm__ volatile("syscall" : : : "memory", "rcx");
    written = local;
    printf("%d\n", written);
    return 0;
}
