/* What ends the program is no way around a place; what may end it, as `assert` does, takes nothing from those that go on. */
#include <assert.h>
#include <omp.h>
#include <stdlib.h>

double cells[100];

void leave(int me, int steps)
{
    if (me == 2)
        steps > 1 ? exit(3) : abort();
#pragma cccp checkpoint /* uniform */
    cells[me] *= 2;
}

int main(int argc, char **argv)
{
    int steps = atoi(argv[1]), fault = 0, step;
    if (argc > 2)
        return 1;
#pragma omp parallel private(step)
    {
        int me = omp_get_thread_num();
#pragma omp master
        {
            fault = omp_get_num_threads();
            if (fault != steps)
                cells[0] = 1;
            else
                cells[0] = 2;
        }
        for (step = 0; step < steps; step++) {
#pragma cccp checkpoint /* uniform */
            cells[me] += step;
        }
        if (me == 0) {
            assert(steps > 0);
#pragma cccp checkpoint /* parted by me: `omp_get_thread_num` */
            cells[me] += 1;
        }
        if (me == 1) {
            steps > 0 || (abort(), 0);
#pragma cccp checkpoint /* parted by me: `omp_get_thread_num` */
            cells[me] += 1;
        }
        leave(me, steps);
    }
    exit(cells[3] > 0);
}
