/* A pointer that was given other memory leads on restart to what it led to when the program began, and that is another
 * register's, or nobody's: a variable, a block from before init that others have, a part of an array. */
#include <stdio.h>
#include <stdlib.h>
static int table[4] = {1, 2, 3, 4}, quiet[4] = {5, 6, 7, 8};
static int *turned = table, *back;
struct { int before; int part[4]; } whole = {0, {9, 9, 9, 9}};
static void print(const char *name, const int *v) { printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]); }
static int *numbers(int first) {
    int *v = malloc(4 * sizeof *v);
    for (int k = 0; k < 4; k++) v[k] = first + k;
    return v;
}
int main(void) {
    int *kept = numbers(10), *left = kept, *seen = kept, *block = numbers(20), *same = block;
    int here[4] = {0, 1, 2, 3}, *inside = here;
    back = quiet;
#pragma cccp init
    int step, local[4] = {30, 31, 32, 33}, *window = local, *member = whole.part;
    /* `seen` is set before init and never changed: it leads to the block that `kept` has. */
#pragma cccp register(step, table, quiet, left[4], kept[4], turned[4], back[4])
#pragma cccp register(window[2], member[4], local, whole, here, inside[4], block[], same[])
    for (step = 0; step < 8; step++) {
        if (step == 2) turned = numbers(40);
        if (step == 3) left = numbers(50);
        if (step == 4) inside = numbers(60);
        if (step == 5) same = numbers(70);
        if (step == 6) { back = turned; turned = table; }
#pragma cccp checkpoint
        turned[step & 3] += step; left[step & 3] += 2; kept[step & 3] += 3; inside[step & 3] += 4;
        window[step & 1] += 5; member[step & 3] += 6; block[step & 3] += 7; same[step & 3] += 8; back[1] += 9;
        print("turned", turned); print("table", table); print("left", left); print("kept", kept); print("seen", seen);
        print("inside", inside); print("local", local); print("part", whole.part); print("block", block);
        print("same", same); print("back", back);
    }
#pragma cccp shutdown
    return 0;
}
