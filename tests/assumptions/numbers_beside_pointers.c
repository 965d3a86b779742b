// auto resumes 3 9
// assumes what is read as a number from memory in which pointers may lie, too, and something is computed from, is no part of a pointer that lies there
#include <stdio.h>
#include <stdlib.h>

static void *pool[2];

int main(void)
{
    double sum = 0;
    unsigned *codes = calloc(16, sizeof *codes);
    double **rows = calloc(16, sizeof *rows);
    pool[0] = codes;
    pool[1] = rows;
    for (int i = 0; i < 16; i++) {
        codes[i] = 3 * i;
        rows[i] = calloc(8, sizeof **rows);
    }
    unsigned most = 0;
    for (int step = 0; step < 12; step++) {
        unsigned *all = pool[0];
        double **lines = pool[1];
        for (int i = 0; i < 16; i++) {
            if (all[i] + step > most)
                most = all[i] + step;
            for (int j = 0; j < 8; j++)
                lines[i][j] += most * 0.5 + j;
        }
        sum += lines[step % 16][step % 8];
        sum += most;
    }
    printf("%u %.17g\n", most, sum);
    return 0;
}
