/* Does the jobs of a file one after the other; here there is one. */
#include <stdio.h>
#include <stdlib.h>

static double field[48];

static int next_job(FILE *jobs, double *strength, int *passes)
{
    return fscanf(jobs, "%lf %d", strength, passes) == 2;
}

static void settle(double strength, int passes)
{
    while (passes-- > 0) {
        field[0] = strength;
        for (int i = 1; i < 47; i++)
            field[i] = 0.5 * field[i - 1] + 0.25 * field[i] + 0.25 * field[i + 1];
    }
}

int main(void)
{
    double strength;
    int passes;
    FILE *jobs = fopen("jobs.txt", "w");
    fprintf(jobs, "1.5 60\n");
    fclose(jobs);
    jobs = fopen("jobs.txt", "r");
    if (jobs == NULL)
        return 1;
    while (next_job(jobs, &strength, &passes)) {
        settle(strength, passes);
        printf("%.17g %.17g\n", field[3], field[30]);
    }
    fclose(jobs);
    return 0;
}
