/* A magnet on a grid (Ising's model), heated and cooled: all threads stay in one parallel region for the whole run.
 *
 *     openmp [SWEEPS [SIZE]]
 *
 * Each thread has random numbers of its own. What it finds goes into one table, which a lock guards. Prints the magnetisation, the
 * energy, and a sum over the table, for as many threads as OMP_NUM_THREADS says. */
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CLASSES 16

/* Of each thread: the state of its generator. */
static uint64_t state;
#pragma omp threadprivate(state)

static long found[CLASSES];
static omp_lock_t guard;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

/* The sum of the four neighbours of a place; the grid is closed at its ends. */
static int neighbours(const signed char *spin, int size, int row, int column)
{
    int up = (row + size - 1) % size, down = (row + 1) % size;
    int left = (column + size - 1) % size, right = (column + 1) % size;
    return spin[up * size + column] + spin[down * size + column] + spin[row * size + left] + spin[row * size + right];
}

/* Half of the places of one row. Returns how many have changed. */
static long turn(signed char *spin, int size, int row, int colour, double heat)
{
    long turned = 0;
    for (int column = (row + colour) % 2; column < size; column += 2) {
        int cost = 2 * spin[row * size + column] * neighbours(spin, size, row, column);
        if (cost <= 0 || uniform() < exp(-cost / heat)) {
            spin[row * size + column] = (signed char)-spin[row * size + column];
            turned++;
        }
    }
    return turned;
}

int main(int argc, char **argv)
{
    int sweeps = argc > 1 ? atoi(argv[1]) : 2000;
    int size = argc > 2 ? atoi(argv[2]) : 256;
    size += size % 2;
#pragma cccp init
    size_t places = (size_t)size * size;
    signed char *spin = malloc(places);
    if (!spin)
        return 1;
    for (size_t i = 0; i < places; i++)
        spin[i] = 1;
    /* A restart makes the lock again: what is in it means something in one process only. */
#pragma cccp execute on restart
    omp_init_lock(&guard);
#pragma cccp end execute
#pragma cccp register(spin[places], found, sweeps, size, places)
#pragma omp parallel
    {
        long turned = 0;
        state = 88172645463325252u + 7919u * (uint64_t)omp_get_thread_num();
        /* In the region a register means what the thread that executes it has. */
#pragma cccp register(state, turned)
        for (int sweep = 0; sweep < sweeps; sweep++) {
#pragma cccp register(sweep)
#pragma cccp checkpoint every(250)
            double heat = 1.5 + 1.5 * sin(sweep * 0.01);
            for (int colour = 0; colour < 2; colour++) {
#pragma omp for schedule(static)
                for (int row = 0; row < size; row++)
                    turned += turn(spin, size, row, colour, heat);
            }
            if (sweep % 10 == 9) {
                omp_set_lock(&guard);
                found[turned % CLASSES] += turned;
                omp_unset_lock(&guard);
                turned = 0;
            }
        }
    }
    long magnetisation = 0, energy = 0, sum = 0;
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            magnetisation += spin[row * size + column];
            energy -= spin[row * size + column] * neighbours(spin, size, row, column);
        }
    for (int i = 0; i < CLASSES; i++)
        sum += found[i] * (i + 1);
    printf("magnetisation %ld, energy %ld, table %ld\n", magnetisation, energy / 2, sum);
#pragma cccp shutdown
    omp_destroy_lock(&guard);
    free(spin);
    return 0;
}
