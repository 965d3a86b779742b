/* `main` begins with giving standard output another file, before `init`; then it gets one more. Two names for it, one of them registered. */
#include <stdio.h>

int main(void)
{
    int step;
    FILE *out;

    if (freopen("first.txt", "w", stdout) == NULL || freopen("errors.txt", "a", stderr) == NULL)
        return 1;
    printf("before init\n");
#pragma cccp init
    out = stdout;
    printf("behind init\n");
#pragma cccp register(step, out)
    for (step = 0; step < 9; step++) {
#pragma cccp checkpoint
        if (step == 4 && freopen("second.txt", "w", stdout) == NULL)
            return 1;
        if (step == 7 && freopen("first.txt", "a", stdout) == NULL)
            return 1;
        printf("%d\n", step);
        fprintf(out, "out %d\n", step);
        fprintf(stderr, "%d\n", step);
    }
#pragma cccp shutdown
    return 0;
}
