/* The part of two_files_residents_main.c with functions and statics of the same names. */
int *part_counter(void);
long part_step(long value);

static long next(long value)
{
    static long calls = 1000;
#pragma cccp register(calls)
    calls += value;
    return calls;
}

int *part_counter(void)
{
    static int counter = 40;
#pragma cccp register(counter)
    counter++;
    return &counter;
}

long part_step(long value)
{
    *part_counter() += 2;
    return next(value) + next(-1);
}
