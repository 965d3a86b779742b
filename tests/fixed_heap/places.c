/* Where blocks lie is a number that the program computes with: blocks of all lengths come, grow and go. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 3000

static unsigned seed = 1;

static unsigned below(unsigned end)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % end;
}

static size_t some_length(void)
{
    unsigned kind = below(100);
    return 1 + (kind == 0 ? below(400000) : kind < 5 ? below(30000) : below(600));
}

int main(void)
{
    char **blocks;
    uint64_t sum = 0;
    int step, k;
#pragma cccp init heap(fixed)
    blocks = calloc(BLOCKS, sizeof *blocks);
#pragma cccp register(seed, blocks, sum, step)
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint every(1)
        for (k = 0; k < 4000; k++) {
            unsigned at = below(BLOCKS);
            size_t length = some_length();
            switch (below(5)) {
            case 0:
            case 1:
                free(blocks[at]);
                blocks[at] = NULL;
                break;
            case 2:
                blocks[at] = realloc(blocks[at], length);
                break;
            case 3:
                free(blocks[at]);
                blocks[at] = aligned_alloc(64, (length + 63) / 64 * 64);
                break;
            default:
                free(blocks[at]);
                blocks[at] = malloc(length);
            }
            if (blocks[at]) {
                memset(blocks[at], step, malloc_usable_size(blocks[at]));
                sum = sum * 31 + (uintptr_t)blocks[at] + malloc_usable_size(blocks[at]);
            }
        }
        free(malloc(some_length()));
    }
    for (k = 0; k < BLOCKS; k++)
        sum = sum * 31 + (blocks[k] ? blocks[k][malloc_usable_size(blocks[k]) / 2] : 0);
    printf("%llx\n", (unsigned long long)sum);
#pragma cccp shutdown
    return 0;
}
