/* Streams in locals, which those who write are told by address: one, some of an array, and one in a struct that holds an array. */
#include <stdio.h>
struct log { FILE *of[2]; int lines; };
static double spread(FILE **energy, FILE **parts, struct log *log, int steps)
{
    double x = 1;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < 400; i++) x = x * 1.0001 + 0.01 * i;
        fprintf(*energy, "%d %.17g\n", step, x);
        fprintf(parts[step % 3], "%.17g\n", x / 3);
        fprintf(log->of[step % 2], "%d\n", log->lines++);
        if (step == steps / 2) {
            fclose(parts[1]);
            parts[1] = fopen("parts-late.txt", "w");
        }
    }
    return x;
}
int main(void)
{
    FILE *energy = fopen("energy.txt", "w"), *parts[3];
    struct log log = { { fopen("even.txt", "w"), fopen("odd.txt", "w") }, 7 };
    for (int i = 0; i < 3; i++) {
        char name[20];
        sprintf(name, "parts-%d.txt", i);
        parts[i] = fopen(name, "w");
    }
    printf("%.17g\n", spread(&energy, parts, &log, 40));
    printf("%ld %d\n", ftell(energy), log.lines);
    for (int i = 0; i < 3; i++) fclose(parts[i]);
    fclose(log.of[0]);
    fclose(log.of[1]);
    return fclose(energy);
}
