/* A pulse runs along a line whose cells are halved where the solution is steep: arrays grow, work
 * arrays come and go, and a probe is watched for a while only.
 *
 *     adaptive [CELLS [STEPS]]
 *
 * Registering a name again replaces the register (after realloc), `unregister` ends it (before free),
 * and a variable-length array is registered like any other array.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct mesh {
    long cells, capacity;
    double *width; /* of each cell */
    double *u;
};

/* `old` with `count` numbers instead of `had`; the new ones are zero. */
static double *resize(double *old, long had, long count)
{
    double *grown = realloc(old, count * sizeof *grown);
    if (grown == NULL) {
        fprintf(stderr, "no memory for %ld numbers\n", count);
        exit(1);
    }
    for (long i = had; i < count; i++)
        grown[i] = 0.0;
    return grown;
}

/* Halves the steepest cells. Returns whether the arrays have moved or grown. */
static int refine(struct mesh *m, double limit)
{
    int changed = 0;

    for (long i = 1; i + 1 < m->cells; i++) {
        if (fabs(m->u[i + 1] - m->u[i - 1]) < limit || m->width[i] < 1e-5)
            continue;
        if (m->cells == m->capacity) {
            m->capacity += m->capacity / 2;
            m->width = resize(m->width, m->cells, m->capacity);
            m->u = resize(m->u, m->cells, m->capacity);
        }
        for (long k = m->cells; k > i; k--) {
            m->width[k] = m->width[k - 1];
            m->u[k] = m->u[k - 1];
        }
        m->cells++;
        m->width[i] *= 0.5;
        m->width[i + 1] = m->width[i];
        changed = 1;
        i++;
    }
    return changed;
}

/* Several small steps with one size of the mesh. The work array lives as long as this call. */
static void advance(struct mesh *m, int sweeps, double dt)
{
    long n = m->cells;
    double flux[n + 1];
    double lost = 0.0;
    int sweep;
#pragma cccp register(n, flux, lost, sweep)

    flux[0] = 0.0;
    for (sweep = 0; sweep < sweeps; sweep++) {
        for (long i = 1; i <= n; i++)
            flux[i] = m->u[i - 1] + 1e-4 * (m->u[i - 1] - (i < n ? m->u[i] : 0.0));
#pragma cccp checkpoint every(2000)
        for (long i = 0; i < n; i++)
            m->u[i] -= dt * (flux[i + 1] - flux[i]);
        lost += flux[n] * dt;
    }
    m->u[0] += 0.5 * lost;
}

int main(int argc, char **argv)
{
#pragma cccp init

    long start = argc > 1 ? atol(argv[1]) : 20000;
    int steps = argc > 2 ? atoi(argv[2]) : 400;
    struct mesh mesh = {start, start, NULL, NULL};
    double *probe = NULL;
    double heard = 0.0;
    int step;

    mesh.width = resize(NULL, 0, start);
    mesh.u = resize(NULL, 0, start);
    for (long i = 0; i < start; i++) {
        double x = (double)i / (double)start - 0.3;
        mesh.width[i] = 1.0 / (double)start;
        mesh.u[i] = exp(-400.0 * x * x);
    }
#pragma cccp register(steps, step, heard, probe)
#pragma cccp register(mesh, mesh.width[mesh.capacity], mesh.u[mesh.capacity])

    for (step = 0; step < steps; step++) {
        advance(&mesh, 100, 0.1);
        if (refine(&mesh, 0.2 / (1 + step))) {
            /* New sizes: the old registers are replaced. All that is allocated is registered, because the program
             * relies on `capacity` after a restart. */
#pragma cccp register(mesh.width[mesh.capacity], mesh.u[mesh.capacity])
        }
        if (step == steps / 3) {
            probe = resize(NULL, 0, steps);
#pragma cccp register(probe[steps])
        }
        if (probe != NULL)
            probe[step] = mesh.u[mesh.cells / 2];
        if (step == 2 * (steps / 3)) {
            for (int i = 0; i < steps; i++)
                heard += probe[i];
#pragma cccp unregister(probe)
            free(probe);
            probe = NULL;
#pragma cccp register(probe)
        }
    }

    double sum = 0.0;
    for (long i = 0; i < mesh.cells; i++)
        sum += mesh.width[i] * mesh.u[i];
    printf("steps %d cells %ld integral %.17g heard %.17g\n", steps, mesh.cells, sum, heard);

#pragma cccp shutdown
    free(mesh.width);
    free(mesh.u);
    return 0;
}
