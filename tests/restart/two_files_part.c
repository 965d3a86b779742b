/* The part of two_files_main.c that takes the checkpoints. */
double scale_of(int step);

static double bent(double value)
{
    return value + 3.0;
}

extern double (*bend)(double);
double (*bends[2])(double);

static double total; /* the same name as another file's would be no problem */

double evolve(double *field, int n, int steps)
{
    int step;
    bends[0] = bent;
    bends[1] = bend;
#pragma cccp register(step, total)
    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint
        for (int i = 0; i < n; i++)
            field[i] = field[i] * 0.75 + field[(i + 1) % n] * scale_of(step);
        total += field[step % n];
    }
    return total;
}
