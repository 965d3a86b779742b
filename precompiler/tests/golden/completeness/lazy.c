/* What the first step sets up: a block in the loop reads what is set right before it, and a restart has that as it was then, because
   what is set again later leads to the block again. Not so where other ways lead past the block, or two chains of calls to it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct datatype *MPI_Datatype;
int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype);
int MPI_Type_size(MPI_Datatype datatype, int *size);
extern MPI_Datatype basic;

static int ready, length, width, depth, height;
static MPI_Datatype row, column, layer, plane;

static int size(MPI_Datatype type)
{
    int bytes;
    MPI_Type_size(type, &bytes);
    return bytes;
}

/* Called twice in each step. */
static int layers(int step)
{
    if (step % 8 == 0) {
        depth = step;
#pragma cccp execute on restart
        MPI_Type_contiguous(depth, basic, &layer);
#pragma cccp end execute
    }
    return size(layer);
}

static void higher(int number)
{
    height = number;
}

static int advance(int step)
{
    if (!ready) {
        length = rand() % 10;
#pragma cccp execute on restart
        MPI_Type_contiguous(length, basic, &row);
        MPI_Type_contiguous(height, basic, &plane);
#pragma cccp end execute
        ready = 1;
    }
    width = step;
    if (step % 5 == 0) {
#pragma cccp execute on restart
        MPI_Type_contiguous(width, basic, &column);
#pragma cccp end execute
    }
    return size(row) + size(column) + size(plane) + layers(step) + layers(step + 1);
}

int main(void)
{
#pragma cccp init
    int sum = 0, step;
    signal(SIGUSR1, higher);
#pragma cccp register(ready, length, width, depth, height, sum, step)
    for (step = 0; step < 30; step++) {
        /* must: row held; column held; layer held; plane held */
#pragma cccp checkpoint
        sum += advance(step);
    }
    printf("%d\n", sum);
#pragma cccp shutdown
    return 0;
}
