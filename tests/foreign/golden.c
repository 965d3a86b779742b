/* A small run whose first checkpoint holds what machines do differently. The files v*-s390x-native.cccp and
 * v*-i686-native.cccp in tests/formats are that checkpoint, written on those machines with
 *
 *     CCCP_ENCODING=native CCCP_KILL_AT=published golden word
 */
#include <complex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum colour { RED, GREEN = 5, BLUE = 70000 };

struct particle {
    char kind;
    double mass;
    short charge;
    long long number;
    unsigned alive : 1;
    int spin : 5;
    unsigned long long seed : 40;
    long double weight;
    struct particle *next;
    size_t length;
};

static int smaller(int a, int b)
{
    return a < b;
}

int main(int argc, char **argv)
{
#pragma cccp init
    struct particle particles[2];
    struct particle *first = &particles[1];
    double *inside = &particles[0].mass;
    int (*compare)(int, int) = smaller;
    char *word = argc > 1 ? argv[1] + 1 : NULL;
    long counts[3] = {-2147483647L - 1, 0, 2147483647L};
    unsigned long size = 4000000000UL;
    int64_t big = INT64_MIN;
    double numbers[3] = {-0.0, 0.1, 0.0};
    float complex spectrum = 1.5f - 2.5f * I;
    enum colour colour = BLUE;
    bool ready = true;
    char text[6] = "h\xe9ll";
    int step;

    memset(particles, 0, sizeof particles);
    for (int i = 0; i < 2; i++) {
        struct particle *one = &particles[i];
        one->kind = (char)('a' + i);
        one->mass = 1.25 + i;
        one->charge = (short)(-3 * (i + 1));
        one->number = -5000000000ll - i;
        one->alive = i == 0;
        one->spin = -7 + i;
        one->seed = 0xabcdef0123ull + (unsigned)i;
        one->weight = -0.5L - i;
        one->next = i == 0 ? &particles[1] : NULL;
        one->length = 4000000000u + (unsigned)i;
    }
    memcpy(&numbers[2], &(uint64_t){0x7ff8dead0000beefull}, sizeof numbers[2]);

#pragma cccp register(step, particles, first, inside, compare, word, counts, size, big, numbers, spectrum, colour)
#pragma cccp register(ready, text)
    for (step = 7; step < 9; step++) {
#pragma cccp checkpoint
        particles[0].mass += compare(1, 2);
    }
#pragma cccp shutdown
    return 0;
}
