/* Pointers that were made of numbers: small ones, which are saved as they are, unless the argument names one of them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
    int first, second;
};
typedef const struct box *tag;
#define AS_TAG(number) ((tag)(intptr_t)(number))
struct job {
    void *owner;
    double work;
};

static void *numbered(long number)
{
    return (void *)number;
}

static long large(const char *odd, const char *name, int small)
{
    return strcmp(odd, name) ? small : 0x123450000L + small;
}

int main(int count, char **words)
{
    const char *odd = count > 1 ? words[1] : "none";
    struct job *jobs = calloc(4, sizeof *jobs);
    static void *table[8];
    char *local = (char *)large(odd, "local", 3);
    tag tagged = AS_TAG(large(odd, "typedef", 5));
    void *given = numbered(large(odd, "returned", 8));
    struct box *boxes = (struct box *)large(odd, "address", 16);
    int *inside = &boxes->second;
    char *stepped = (char *)0 + large(odd, "null", 7);
    for (int i = 0; i < 4; i++)
        jobs[i].owner = (void *)(large(odd, "member", 1) + i);
    table[5] = numbered(large(odd, "table", 9));
    double sum = 0;
    for (int step = 0; step < 12; step++) {
        for (int i = 0; i < 4; i++) {
            jobs[i].work += i * step;
            sum += jobs[i].work * ((long)jobs[i].owner % 5);
        }
        sum += (long)local % 7 + (long)tagged % 3 + (given == numbered(8)) + ((long)inside == 20) + (stepped == (char *)0 + 7);
        sum += (long)table[step % 8] % 11;
        printf("%d %g\n", step, sum);
    }
    return 0;
}
