/* Locals on the stack, pointers to them, and registers that follow a pointer into new memory. */
#include <stdio.h>
#include <stdlib.h>

static int *kept, *block;

static void step(int *at)
{
    *at += 1;
    /* must: early missing */
    /* should: late held */
#pragma cccp checkpoint
    *at += 2;
}

/* Registered at one of the calls only; the other one comes first. */
static void two_calls(int start)
{
    int early = start;
    step(&early);
    printf("%d\n", early);
    int late = start;
#pragma cccp register(late)
    step(&late);
    printf("%d\n", late);
}

/* What the inner activation does to its own says nothing about the outer one. */
static void recursion(int depth, int *outer)
{
    int own;
    if (depth == 0)
        return;
    own = rand();
    *outer += own;
    recursion(depth - 1, &own);
    /* must: own missing */
#pragma cccp checkpoint
    printf("%d %d\n", own, *outer);
}

static int dead(void)
{
    int gone = rand();
    kept = &gone;
    return *kept;
}

static void renewed(void)
{
    block = calloc(4, sizeof *block);
    block[1] = rand();
}

static void local(void)
{
    int *mine = NULL;
#pragma cccp register(mine[])
    mine = block;
    printf("%d\n", mine != NULL);
}

static void behind(void)
{
    renewed();
    /* should: block[…] held */
#pragma cccp checkpoint
    printf("%d\n", block[1]);
}

int main(void)
{
#pragma cccp init
    int sum = 0;
#pragma cccp register(sum)
    two_calls(1);
    recursion(3, &sum);
    sum += dead();
    /* should: sum held */
#pragma cccp checkpoint
    sum += kept != NULL && sum > 1 ? *kept : 0;
    renewed();
    local();
    renewed();
    /* must: block[…] missing */
#pragma cccp checkpoint
    printf("%d\n", block[1]);
#pragma cccp register(block[])
    behind();
    printf("%d\n", sum);
    return 0;
}
