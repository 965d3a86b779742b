/* Random numbers are made many at a time: the refill is small beside the steps, though every number asks for it. */
#include <stdio.h>

enum { WORDS = 600 };

static unsigned words[WORDS];
static int left, next = WORDS;
static double field[64];

static void refill(void)
{
    for (int i = 0; i < WORDS; i++) /* not selected */
        words[i] = words[i] * 1103515245u + 12345u;
    left = WORDS;
}

static double drawn(void)
{
    if (--left == 0) refill();
    return words[left] / 4294967296.0;
}

static double drawn_forwards(void)
{
    if (next >= WORDS) {
        for (int i = 0; i < WORDS; i++) /* not selected */
            words[i] = words[i] * 69069u + 1u;
        next = 0;
    }
    return words[next++] / 4294967296.0;
}

static void set_up(void)
{
    for (int i = 0; i < 64; i++) /* not selected */
        field[i] = drawn() + drawn_forwards();
}

int main(void)
{
    double sum = 0;
    set_up();
    for (int step = 0; step < 1000; step++) /* selected */
        for (int i = 0; i < 64; i++) { /* not selected */
            field[i] = 0.5 * field[i] + field[(i + 1) % 64] * 0.4 + field[(i + 7) % 64] * 0.1;
            sum += field[i];
        }
    printf("%g\n", sum);
    return 0;
}
