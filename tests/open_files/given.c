/* The streams that every process has get other files: before the loop, in it, one after the other, in another mode, and where that is a
 * device. A stream of the program's own gets other files, too.
 *
 * The file input.txt has numbers, one in a line.
 */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
#pragma cccp init
    int step, value;
    long sum = 0;
    char name[32], back[16] = "";
    FILE *own = fopen("own-0.txt", "w"), *out = stdout;

    (void)argv;
    printf("what the process was given\n");
    fprintf(stderr, "what the process was given\n");
    if (own == NULL || freopen("errors.txt", "w", stderr) == NULL || freopen("input.txt", "r", stdin) == NULL)
        return 1;
    if (argc > 9 && freopen("never.txt", "w", stdout) == NULL)
        return 1;
#pragma cccp register(step, sum, value, own, out, name, back, stdin)
    for (step = 0; step < 20; step++) {
#pragma cccp checkpoint
        if (step % 6 == 2) {
            snprintf(name, sizeof name, "out-%d.txt", step);
            if (freopen(name, step == 8 ? "w+" : "w", stdout) == NULL)
                return 1;
            snprintf(name, sizeof name, "own-%d.txt", step);
            if (freopen(name, "w", own) == NULL)
                return 1;
        }
        if (step == 5 && freopen("/dev/null", "w", stdout) == NULL)
            return 1;
        if (step == 10 && (freopen(NULL, "a+", stdout) == NULL || freopen(NULL, "w", own) == NULL))
            return 1;
        if (step == 12) { /* what was printed is read */
            rewind(stdout);
            if (fgets(back, sizeof back, stdout) == NULL)
                return 1;
            fseek(stdout, 0, SEEK_END);
        }
        if (step == 16) {
            if (freopen("gone.txt", "w", stderr) == NULL)
                return 1;
            unlink("gone.txt");
        }
        if (scanf("%d", &value) != 1)
            return 1;
        sum += value + back[0];
        printf("%d: %ld\n", step, sum);
        fprintf(out, "once more: %ld at %ld\n", sum, step < 2 ? 0 : ftell(out));
        fprintf(stderr, "%d\n", step);
        fprintf(own, "%d\n", step);
    }
#pragma cccp shutdown
    printf("%ld\n", sum);
    fclose(own);
    return 0;
}
