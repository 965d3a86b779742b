/* Files that are open at a checkpoint, and before the next one are closed and removed, removed and made anew, emptied, replaced. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long sum(FILE *f)
{
    long all = 0;
    fflush(f);
    rewind(f);
    for (int c; (c = fgetc(f)) != EOF;)
        all = all * 3 % 1000003 + c;
    fseek(f, 0, SEEK_END);
    return all;
}

int main(void)
{
#pragma cccp init
    int step;
    long all = 0;
    FILE *phase = fopen("phase.txt", "w+"), *scratch = fopen("scratch.txt", "w+"), *state = fopen("state.txt", "w+"), *new_state = NULL;

    if (phase == NULL || scratch == NULL || state == NULL)
        return 1;
#pragma cccp register(step, all, phase, scratch, state, new_state)
    for (step = 0; step < 12; step++) {
#pragma cccp checkpoint
        if (phase != NULL)
            fprintf(phase, "phase %d\n", step);
        fprintf(scratch, "scratch %d\n", step);
        fprintf(state, "state %d\n", step);
        if (step == 3) {
            /* One phase is over, and its file goes. */
            all += sum(phase);
            fclose(phase);
            phase = NULL;
            remove("phase.txt");
        }
        if (step == 5) {
            all += sum(scratch);
            fclose(scratch);
            scratch = fopen("scratch.txt", "w+");
        }
        if (step == 7) {
            new_state = fopen("state.new", "w+");
            fprintf(new_state, "%ld\n", sum(state));
            fclose(state);
            rename("state.new", "state.txt");
            state = new_state;
            new_state = NULL;
        }
        if (step == 9) {
            unlink("scratch.txt");
            phase = fopen("scratch.txt", "w+");
        }
        all = all * 7 % 1000003;
    }
    all += sum(scratch) + sum(state) + (phase != NULL ? sum(phase) : 0);
    printf("%ld\n", all);
#pragma cccp shutdown
    return 0;
}
