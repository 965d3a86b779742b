/* Streams of inner blocks in a recursion: each call has one open while deeper calls take checkpoints, and none afterwards, when
 * the memory that the stream had belongs to numbers that look like an open stream. */
#include <stdio.h>
#include <stdlib.h>

#define SIZE 472 /* of the GNU C library's stream on a 64-bit machine; another one does no harm */

static int files;

static int *numbers(int descriptor)
{
    int *made = malloc(SIZE);

    if (made == NULL)
        exit(1);
    made[0] = 0x2000; /* the flag of a stream that has a file */
    for (size_t i = 1; i < SIZE / sizeof *made; i++)
        made[i] = descriptor;
    return made;
}

static FILE *open_next(void)
{
    char name[30];
    FILE *opened;

    snprintf(name, sizeof name, "block-%d.txt", files++);
    opened = fopen(name, "w");
    if (opened == NULL)
        exit(1);
    return opened;
}

static long walk(int depth)
{
    long sum = depth;
    int turn;

    for (turn = 0; turn < 2; turn++) {
        int *made;
        int descriptor;
#pragma cccp register(depth, sum, turn)
        {
            FILE *own = open_next();

            descriptor = 0 + fileno(own); /* a number among others: it stands for no open file */
            fprintf(own, "depth %d", depth);
#pragma cccp register(descriptor, own)
            if (depth > 0)
                sum += walk(depth - 1);
            fprintf(own, ", sum %ld\n", sum);
            fclose(own);
        }
        made = numbers(descriptor);
        FILE *other = fopen("other.txt", "a");
        if (other == NULL)
            exit(1);
        fprintf(other, "turn %d of depth %d\n", turn, depth);
#pragma cccp register(made[SIZE / sizeof(int)], other)
#pragma cccp checkpoint
        sum = 3 * sum + made[0];
        fclose(other);
#pragma cccp unregister(other)
        free(made);
    }
    return sum;
}

int main(void)
{
#pragma cccp init
#pragma cccp register(files)
    printf("%ld\n", walk(2));
#pragma cccp shutdown
    return 0;
}
