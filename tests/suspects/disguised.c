/* Pointers that lie in a union and in an integer at the checkpoint: saved as bytes they would lead anywhere. */
#include <stdint.h>
#include <stdio.h>

struct tagged {
    int tag;
    union {
        int number;
        int *where;
    } is;
};

static struct tagged one;
static intptr_t kept;
static int target[2] = {5, 6};

int main(void)
{
    one.tag = 1;
    one.is.where = &target[0];
    kept = (intptr_t)&target[1];
    for (int i = 0; i < 1000; i++) {
#pragma cccp checkpoint
        target[1] += one.tag ? *one.is.where : one.is.number;
        printf("%d\n", *(int *)kept);
    }
    return 0;
}
