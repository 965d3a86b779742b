/* Macros with the words of generated code: cccp, init, frame, function. */
#include <stdio.h>
#define step step_
#define checkpointed(x) x
#define register_all
#define cccp 3
#define init 5
#define checkpoint 7
#define shutdown 9
#define frame 11
#define function 12
#define blocks 13
#define __extension__
#define goto_
#define type_long 4
static long step = 1;
typedef struct frame_s { long function_; int line; } frame_t;
static frame_t fr;
static long work(long n)
{
    long x = 0;
    for (int k = 0; k < n; k++) {
        x += step * k + init + checkpoint + shutdown + cccp + frame + function + blocks;
        step += x % 5;
        fr.line += k; fr.function_ ^= x;
    }
    return x;
}
int main(void) { long w = work(40); printf("%ld %ld %d %ld\n", w, step, fr.line, fr.function_); return 0; }
