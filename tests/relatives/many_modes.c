/* A program of many modes, each of which ends the run: without an option the loop in main does the work, though what the modes do
   seems to be far more. */
#include <stdio.h>
#include <stdlib.h>

#define SIZE 64

static double cells[SIZE], next[SIZE];
static int steps, length = SIZE;

static void sweep(double by)
{
    for (int i = 0; i < length; i++)
        next[i] = by * cells[i] + 0.25 * cells[(i + 1) % length];
    for (int i = 0; i < length; i++)
        cells[i] = next[i];
}

static void one(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                for (int more = 0; more < steps; more++)
                    sweep(0.51);
}

static void two(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                sweep(0.52);
}

static void three(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                sweep(0.53);
}

static void four(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                sweep(0.54);
}

static void five(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                sweep(0.55);
}

static void six(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                sweep(0.56);
}

static void seven(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                sweep(0.57);
}

static void eight(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                sweep(0.58);
}

static void nine(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                sweep(0.59);
}

static void ten(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                sweep(0.60);
}

static void eleven(void)
{
    for (int way = 0; way < steps; way++)
        for (int part = 0; part < steps; part++)
            for (int step = 0; step < steps; step++)
                sweep(0.61);
}

int main(int argc, char **argv)
{
    int mode = argc > 2 ? atoi(argv[2]) : 0;
    double sum = 0.0;

    steps = argc > 1 ? atoi(argv[1]) : 24;
    for (int i = 0; i < length; i++)
        cells[i] = 1.0 / (i + 1);
    switch (mode) {
    case 1:
        one();
        return 0;
    case 2:
        two();
        return 0;
    case 3:
        three();
        return 0;
    case 4:
        four();
        return 0;
    case 5:
        five();
        return 0;
    case 6:
        six();
        return 0;
    case 7:
        seven();
        return 0;
    case 8:
        eight();
        return 0;
    case 9:
        nine();
        return 0;
    case 10:
        ten();
        return 0;
    case 11:
        eleven();
        return 0;
    }
    for (int step = 0; step < steps; step++) {
        sweep(0.5);
        printf("%d %.17g\n", step, cells[step % length]);
    }
    for (int i = 0; i < length; i++)
        sum += cells[i];
    printf("%.17g\n", sum);
    return 0;
}
