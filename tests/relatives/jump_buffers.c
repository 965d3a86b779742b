/* Jumps out of errors, as libraries of matrices have them: the buffer is kept aside and put back. None is set at a checkpoint. every checkpoint */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct { int uses; jmp_buf back; } all;
struct st { int depth; jmp_buf inner; char text[8]; double *more; }; static struct st *state;
static int jumps;
static double *v;
static double fail(int number)
{
    strcpy(state->text, number > 4 ? "large" : "small");
    if (jumps) longjmp(state->depth > 1 ? state->inner : all.back, number);
    exit(2);
}
static double root_of(double x) { return x < 0 ? fail(3) : x > 90 ? fail(7) : x / 2 + 1; }
static double guarded(double x)
{
    jmp_buf aside;
    int before = jumps, error;
    volatile double result = 0;
    memcpy(aside, all.back, sizeof(jmp_buf));
    jumps = 1;
    all.uses++;
    if ((error = setjmp(all.back)) == 0) {
        state->depth++;
        if ((error = setjmp(state->inner)) == 0) result = root_of(x);
        else result = -error;
        state->depth--;
        if (x > 60) longjmp(all.back, 9);
    } else
        result = 100 * error;
    jumps = before;
    memcpy(all.back, aside, sizeof(jmp_buf));
    return result;
}
int main(void)
{
    double sum = 0;
    state = calloc(1, sizeof *state); state->more = calloc(3, 8);
    v = calloc(10, sizeof *v);
    for (int i = 0; i < 30; i++) {
        v[i % 10] += 7 * i - 40;
        sum += guarded(v[(i * 3) % 10]);
        if (i % 9 == 8) { printf("%d %g %s %d\n", i, sum, state->text, state->depth); state->depth = 0; state->more[i % 3] += i; sum += state->more[0]; }
    }
    printf("%g %s %d\n", sum, state->text, all.uses);
    return 0;
}
