/* Blocks that are executed on restart are left by each kind of jump, in the run and again in a restart; what is returned may be
   what the block is for. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct opened { int number; FILE *file; };

static volatile sig_atomic_t seen;
static double values[8];

static void on(int number) { seen = number; }

typedef void (*handler)(int);

static handler install(int number)
{
#pragma cccp execute on restart
    return signal(number, on);
#pragma cccp end execute
}

static int number_of(int number, int *place)
{
#pragma cccp execute on restart
    if (signal(number, on) == SIG_ERR)
        return -1;
    if (number == SIGUSR1)
        return ++*place;
#pragma cccp end execute
    return 7 + *place;
}

static struct opened stream(const char *name, int number)
{
    struct opened one = { number, NULL };
#pragma cccp execute on restart
    one.file = fopen(name, "r");
    if (one.file == NULL) {
        one.number = -number;
        return one;
    }
    fclose(one.file);
    one.file = NULL;
#pragma cccp end execute
    return one;
}

static void nothing(int number)
{
#pragma cccp execute on restart
    if (number < 0)
        return;
    signal(number, on);
#pragma cccp end execute
    values[5] += 1;
}

static int search(void)
{
    int found = 0;
    for (int i = 0; i < 6; i++) {
#pragma cccp execute on restart
        if (i == 1)
            continue;
        found = i * 3;
        if (found > 8)
            break;
        if (found == 6)
            goto next;
        signal(SIGUSR1, on);
#pragma cccp end execute
        found++;
next:
        found += 100;
    }
    return found;
}

int main(void)
{
    int place = 0, found = 0, first = 0, second = 0;
    struct opened missing, there;
#pragma cccp init
#pragma cccp register(values, seen)
    if (install(SIGUSR2) == SIG_ERR)
        return 1;
    first = number_of(SIGUSR1, &place);
    second = number_of(SIGUSR2, &place);
    missing = stream("nowhere/nothing", 3);
    there = stream("/dev/null", 4);
    nothing(-1);
    nothing(SIGUSR1);
    found = search();
#pragma cccp register(place, found, first, second, missing.number, there.number)
    for (int i = 0; i < 9; i++) {
#pragma cccp register(i)
#pragma cccp checkpoint
        if (i == 7)
            raise(SIGUSR1);
        for (int k = 0; k < 8; k++)
            values[k] += (double)seen / (i + k + 1);
        printf("%d %d %d %d %d %d %d %.17g\n", i, place, found, first, second, missing.number, there.number, values[3]);
    }
    return 0;
}
