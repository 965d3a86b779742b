/* Conditions that never hold, and some that do. */
#include <stdio.h>
#include <stdlib.h>

enum { DEBUG = 0, CHECKS = 1 };
static const int trace;
static int verbose;          /* nobody stores to it */
static int asked;            /* main stores to it */
static int pointed;          /* somebody may store through a pointer */
static int *way = &pointed;
static volatile int watched; /* a debugger may store to it */
int elsewhere;               /* all of the program is here */

static double debugged, traced, told, answered, led, watching, shared, kept, chosen;

int main(int argc, char **argv)
{
    int step = 0;
    asked = argc > 1;
    if (argc > 2)
        *way = 1;
#pragma cccp init
#pragma cccp register(step)
    for (; step < 10; step++) {
        /* should: debugged absent */
        /* should: traced absent */
        /* should: told absent */
        /* should: shared absent */
        /* must: answered missing */
        /* must: led missing */
        /* must: watching missing */
        /* must: kept missing */
        /* must: chosen missing */
#pragma cccp checkpoint
        if (DEBUG)
            printf("%g\n", debugged);
        if (trace > 0 && step > 5)
            printf("%g\n", traced);
        if (verbose)
            printf("%g\n", told);
        if (elsewhere)
            printf("%g\n", shared);
        if (asked)
            printf("%g\n", answered);
        if (pointed)
            printf("%g\n", led);
        if (watched)
            printf("%g\n", watching);
        if (verbose || CHECKS)
            printf("%g\n", kept);
        if (!verbose)
            printf("%g\n", chosen);
        debugged = step;
        traced = step;
        told = step;
        shared = step;
        answered = step;
        led = step;
        watching = step;
        kept = step;
        chosen = step;
    }
    return 0;
}
