/* Constructs around places, in the function and in those that call it. */
int count;

static void called(void)
{
#pragma cccp checkpoint /* in critical < for schedule(dynamic) < parallel; parted: `#pragma omp for schedule(dynamic)` divides */
    count++;
}

int main(void)
{
#pragma omp parallel
    {
#pragma cccp checkpoint /* in parallel; uniform */
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; i++)
#pragma omp critical
            {
#pragma cccp checkpoint /* in critical < for schedule(dynamic) < parallel */
                called();
            }
    }
    return 0;
}
