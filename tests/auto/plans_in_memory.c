/* Plans of FFTW wherever programs keep them: in a list, in a struct that is filled in the first step, in one that a function is given. */
#include <complex.h>
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>

struct line {
    struct line *next;
    fftw_plan plan;
    double *values;
    int count;
};

struct solver {
    int ready;
    fftwf_complex *from, *to;
    fftwf_plan plans[2];
};

static struct line *add(struct line *lines, int count)
{
    struct line *line = malloc(sizeof *line);
    line->count = count;
    line->values = fftw_alloc_real(count);
    line->plan = fftw_plan_r2r_1d(count, line->values, line->values, FFTW_REDFT10, FFTW_ESTIMATE);
    for (int i = 0; i < count; i++)
        line->values[i] = 0.01 * i;
    line->next = lines;
    return line;
}

static struct line *drop_second(struct line *lines)
{
    struct line *second = lines->next;
    lines->next = second->next;
    fftw_destroy_plan(second->plan);
    fftw_free(second->values);
    free(second);
    return lines;
}

static double solve(struct solver *s, int step)
{
    enum { ROWS = 3, COLUMNS = 8, ALL = ROWS * COLUMNS };
    int length[] = { COLUMNS };
    double sum = 0;
    if (!s->ready) {
        s->from = fftwf_alloc_complex(ALL);
        s->to = fftwf_alloc_complex(ALL);
        s->plans[0] = fftwf_plan_many_dft(1, length, ROWS, s->from, NULL, 1, COLUMNS, s->to, length, ROWS, 1,
                                          FFTW_FORWARD, FFTW_ESTIMATE);
        fftwf_iodim row = { COLUMNS, ROWS, ROWS }, rows = { ROWS, 1, 1 };
        s->plans[1] = fftwf_plan_guru_dft(1, &row, 1, &rows, s->to, s->to, FFTW_BACKWARD, FFTW_ESTIMATE);
        for (int i = 0; i < ALL; i++)
            s->from[i] = 0;
        s->ready = 1;
    }
    for (int i = 0; i < ALL; i++)
        s->from[i] = 0.5f * s->from[i] + i % 5 + step * I;
    fftwf_execute(s->plans[0]);
    fftwf_execute(s->plans[1]);
    for (int i = 0; i < ALL; i++)
        sum += crealf(s->to[i]) / (i + 1);
    return sum;
}

static void advance(struct line *lines, fftw_plan plan, double *field, double *modes, int steps)
{
    struct solver *solver = calloc(1, sizeof *solver);
    double sum = 0;
    for (int step = 0; step < steps; step++) {
        fftw_execute(plan);
        for (int i = 0; i < 12; i++)
            field[i] = 0.1 * modes[i] + 1;
        for (struct line *line = lines; line; line = line->next) {
            fftw_execute(line->plan);
            for (int i = 0; i < line->count; i++)
                line->values[i] = line->values[i] / line->count + 1e-3 * step;
            sum = 0.7 * sum + line->values[line->count / 2];
        }
        if (step == 4)
            lines = add(lines, 21);
        if (step == 11)
            lines = drop_second(lines);
        sum += solve(solver, step) + field[3];
    }
    printf("%.17g\n", sum);
    free(solver);
}

int main(void)
{
    struct line *lines = NULL;
    double *field = fftw_alloc_real(12), *modes = fftw_alloc_real(12);
    fftw_plan plan = fftw_plan_r2r_1d(12, field, modes, FFTW_DHT, FFTW_ESTIMATE);
    for (int i = 0; i < 4; i++)
        lines = add(lines, 8 + 3 * i);
    for (int i = 0; i < 12; i++)
        field[i] = i;
    advance(lines, plan, field, modes, 20);
    fftw_destroy_plan(plan);
    return 0;
}
