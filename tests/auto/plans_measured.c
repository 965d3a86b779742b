/* Plans that FFTW has measured depend on how busy the machine was: a restart has the same ones, and estimated ones as before. */
#include <complex.h>
#include <fftw3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 360, PLANS = 4, TEXT = 8000 };

static fftw_plan plans[PLANS];
static char texts[PLANS][TEXT];

static void describe(int which, char *into)
{
    char *text = fftw_sprint_plan(plans[which]);
    strncpy(into, text, TEXT - 1);
    free(text);
}

int main(void)
{
    fftw_complex *field = fftw_alloc_complex(LENGTH), *modes = fftw_alloc_complex(LENGTH);
    int same = 0;
    plans[0] = fftw_plan_dft_1d(LENGTH, field, modes, FFTW_FORWARD, FFTW_ESTIMATE);
    plans[1] = fftw_plan_dft_1d(LENGTH, field, modes, FFTW_FORWARD, FFTW_PATIENT);
    plans[2] = fftw_plan_dft_1d(LENGTH, field, field, FFTW_BACKWARD, FFTW_MEASURE);
    plans[3] = fftw_plan_dft_1d(LENGTH, field, modes, FFTW_FORWARD, FFTW_ESTIMATE);
    for (int i = 0; i < PLANS; i++)
        describe(i, texts[i]);
    for (int i = 0; i < LENGTH; i++)
        field[i] = i % 11 + i % 7 * I;
    for (int step = 0; step < 20; step++) {
        char now[TEXT] = "";
        for (int i = 0; i < PLANS; i++) {
            describe(i, now);
            same += !strcmp(now, texts[i]);
        }
        fftw_execute(plans[0]);
    }
    printf("%d of %d the same\n", same, 20 * PLANS);
    return 0;
}
