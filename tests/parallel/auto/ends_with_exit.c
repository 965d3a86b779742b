/* `main` returns early or ends with `exit`, in the region too, and one thread compares what it alone has stored before the steps begin. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static double cells[500];

static void leave(int fault)
{
#pragma omp barrier
    if (fault)
        exit(1);
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 40, count, fault = 0, wanted = omp_get_max_threads(), step, i;
    double sum = 0;
    if (argc > 2) {
        fprintf(stderr, "usage: %s [STEPS]\n", argv[0]);
        return 1;
    }
#pragma omp parallel private(step, i)
    {
#pragma omp master
        {
            count = omp_get_num_threads();
            if (count > 1000)
                exit(EXIT_SUCCESS);
            if (count != wanted)
                fault = 1;
            else
                cells[0] = 1;
        }
        leave(fault);
        for (step = 0; step < steps; step++) {
            if (step == 1) {
#pragma omp barrier
#pragma omp master
                cells[1] = 2;
            }
#pragma omp for
            for (i = 0; i < 500; i++)
                cells[i] = cells[i] * 0.75 + 0.5 * step / (i + 1);
        }
    }
    for (i = 0; i < 500; i++)
        sum += cells[i];
    printf("%.17g\n", sum);
    if (sum < 0) {
        printf("negative\n");
        exit(EXIT_FAILURE);
    }
    exit(EXIT_SUCCESS);
}
