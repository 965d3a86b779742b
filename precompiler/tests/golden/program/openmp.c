/* Directives of OpenMP: those of statements, and those that stand alone, each with all its lines. */
#define TEAM 4
#define EACH(i, n) _Pragma("omp for nowait") for (i = 0; i < n; i++)

int hidden;
#pragma omp threadprivate(hidden)
#pragma omp declare simd
int twice(int n)
{
    return 2 * n;
}

int main(int argc, char **argv)
{
    int i, done = 0, total = 0;
	# pragma	omp parallel num_threads(TEAM) /* as many
          as there are */ \
      private(i)   shared(done) // here
    {
        EACH(i, argc) { hidden += i; }
#pragma omp barrier
        if (argc > 3) {
#pragma omp flush(done, \
                  total)
            total = 1;
#pragma omp critical(sum) hint(0)
            total += hidden;
#pragma omp taskwait
#pragma omp taskyield
        }
        switch (argc) {
        case 1:
            done = 1;
#pragma omp barrier
        }
    }
#pragma omp parallel for
    for (i = 0; i < argc; i++) {
#pragma omp cancel for if(done)
        done = ({
#pragma omp flush
            twice(i);
        });
    }
    return total;
}
