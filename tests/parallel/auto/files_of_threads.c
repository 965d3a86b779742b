/* Each thread writes a file of its own, line by line. */
#include <omp.h>
#include <stdio.h>

static unsigned field[64];

int main(void)
{
    unsigned sum = 0u;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        char name[32];
        int me = omp_get_thread_num();
        snprintf(name, sizeof name, "log%d.txt", me);
        FILE *log = fopen(name, "w");
        for (int step = 0; step < 40; step++) {
#pragma omp for
            for (int i = 0; i < 64; i++)
                field[i] = field[i] * 3u + (unsigned)(i + step);
            fprintf(log, "%d %d %u\n", me, step, field[me * 7]);
            sum += field[step];
#pragma omp barrier
        }
        fclose(log);
    }
    printf("%u\n", sum);
    for (int t = 0; t < 3; t++) {
        char name[32], line[100];
        unsigned hash = 0u;
        snprintf(name, sizeof name, "log%d.txt", t);
        FILE *log = fopen(name, "r");
        while (fgets(line, sizeof line, log))
            for (char *at = line; *at; at++)
                hash = hash * 31u + (unsigned)*at;
        fclose(log);
        printf("%u\n", hash);
    }
    return 0;
}
