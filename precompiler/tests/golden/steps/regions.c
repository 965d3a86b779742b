/* OpenMP: what is private is another variable, what goes in or comes out is written weakly. */
int shared_count;
int hidden;
#pragma omp threadprivate(hidden)

void nests(int n, double a[n][n], double *out)
{
    int i, j, k, last = 0, first = n;
    double t;
#pragma omp parallel for collapse(2) private(k, t) lastprivate(last) firstprivate(first) shared(a, out)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            for (k = 0, t = 0; k < n; k++)
                t += a[i][k] * a[k][j];
            last = i;
            first++;
            out[i * n + j] = t;
        }
    i = last;
}

void tasks(int n)
{
    int done = 0, mine;
#pragma omp parallel private(mine) num_threads(n)
    {
        mine = n;
        hidden = mine;
#pragma omp single
        {
#pragma omp task
            done = 1;
#pragma omp taskwait
        }
#pragma omp atomic
        shared_count += done;
    }
}

int *lanes(int n, int *from)
{
    int *p;
#pragma omp simd
    for (p = from; p < from + n; p++)
        *p = 0;
    return p;
}
