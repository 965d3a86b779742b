/* Locals that are filled little by little: their rest holds what was on the stack before, here addresses of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct pair {
    const char *name;
    unsigned char bytes[24];
};

/* A stack that was full of addresses. */
static __attribute__((noinline)) long litter(void)
{
    const void *volatile words[600];
    long sum = 0;
    for (int i = 0; i < 600; i++)
        words[i] = (const void *)&words[i];
    for (int i = 0; i < 600; i++)
        sum += words[i] != NULL;
    return sum;
}

static __attribute__((noinline)) double collect(int is_odd)
{
    const char *names[40];
    struct pair pairs[30], one;
    unsigned char packed[200];
    double sum = 0, *weights = calloc(30, sizeof *weights);
    unsigned long size = 7;
    int count = 0;
    time_t now = 0;
    for (int step = 0; step < 24; step++) {
#pragma cccp checkpoint
        char text[16];
        snprintf(text, sizeof text, "name %d", step);
        names[count] = is_odd && step == 20 ? asctime(gmtime(&now)) : strdup(text);
        pairs[count].name = names[count / 2];
        memcpy(pairs[count].bytes + 3, step < 30 ? (void *)&size : (void *)&weights, sizeof size);
        memcpy(packed + 5 * (step % 30), step < 30 ? (void *)&size : (void *)&weights, sizeof size);
        if (step % 4 == 0)
            one = pairs[count];
        count++;
        for (int i = 0; i < count; i++) {
            weights[i] += strlen(names[i]) + pairs[i].bytes[3] + packed[5 * i];
            sum += weights[i] * pairs[i].name[5];
        }
        printf("%d %.17g %s %d\n", step, sum, one.name, one.bytes[3]);
    }
    return sum;
}

int main(int argc, char **argv)
{
    printf("%ld\n", litter());
    printf("%.17g\n", collect(argc > 1 && strcmp(argv[1], "library") == 0));
    return 0;
}
