/* Bodies that attract each other: a cloud is first cooled until it is calm, then followed through time
 * with the leapfrog method.
 *
 *     n-body [BODIES [STEPS]]
 *
 * The state is an array of structs. There are three checkpoints in two functions; a restart comes back
 * to the one that was reached, whichever it was, and does not run the phase that is over again.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum kind { LIGHT, HEAVY };

struct body {
    double mass;
    double position[3];
    double velocity[3];
    enum kind kind;
    unsigned id : 24;
    unsigned marked : 1;
};

static double energy_at_start; /* a global is registered like everything else */

static void accelerate(struct body *body, int n, double dt)
{
    for (int i = 0; i < n; i++) {
        double a[3] = {0.0, 0.0, 0.0};
        for (int j = 0; j < n; j++) {
            double d[3], square = 1e-4;
            for (int k = 0; k < 3; k++) {
                d[k] = body[j].position[k] - body[i].position[k];
                square += d[k] * d[k];
            }
            double force = body[j].mass / (square * sqrt(square));
            for (int k = 0; k < 3; k++)
                a[k] += force * d[k];
        }
        for (int k = 0; k < 3; k++)
            body[i].velocity[k] += dt * a[k];
    }
}

static void drift(struct body *body, int n, double dt)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            body[i].position[k] += dt * body[i].velocity[k];
}

static double energy(const struct body *body, int n)
{
    double sum = 0.0;

    for (int i = 0; i < n; i++) {
        const double *v = body[i].velocity;
        sum += 0.5 * body[i].mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int j = 0; j < i; j++) {
            double square = 1e-4;
            for (int k = 0; k < 3; k++) {
                double d = body[j].position[k] - body[i].position[k];
                square += d * d;
            }
            sum -= body[i].mass * body[j].mass / sqrt(square);
        }
    }
    return sum;
}

static void cool(struct body *body, int n, int steps)
{
    int step;
#pragma cccp register(step)

    for (step = 0; step < steps; step++) {
#pragma cccp checkpoint every(20) name(cooling)
        accelerate(body, n, 1e-3);
        drift(body, n, 1e-3);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                body[i].velocity[k] *= 0.9;
    }
}

/* Follows the bodies; the result is the number of times that one was found far from the centre. */
static long follow(struct body *body, int n, int steps)
{
    long escapes = 0;
    int step = 0;
#pragma cccp register(step, escapes)

    accelerate(body, n, 0.5e-3);
    while (step < steps) {
        drift(body, n, 1e-3);
        if (step % 2 == 0) {
#pragma cccp checkpoint every(20) name(even)
            body[step % n].marked ^= 1;
        } else {
#pragma cccp checkpoint every(20) name(odd)
            body[step % n].kind = body[step % n].kind == LIGHT ? HEAVY : LIGHT;
        }
        accelerate(body, n, 1e-3);
        for (int i = 0; i < n; i++) {
            const double *r = body[i].position;
            escapes += r[0] * r[0] + r[1] * r[1] + r[2] * r[2] > 1.5;
        }
        step++;
    }
    return escapes;
}

int main(int argc, char **argv)
{
#pragma cccp init

    int n = argc > 1 ? atoi(argv[1]) : 1000;
    int steps = argc > 2 ? atoi(argv[2]) : 200;
    struct body *body = calloc(n, sizeof *body);
    unsigned long random = 12345;

    if (body == NULL)
        return 1;
    for (int i = 0; i < n; i++) {
        body[i].mass = 1.0 / n;
        body[i].kind = i % 3 ? LIGHT : HEAVY;
        body[i].id = (unsigned)i;
        for (int k = 0; k < 3; k++) {
            random = (random * 1103515245 + 12345) % 2147483648;
            body[i].position[k] = (double)random / 1073741824.0 - 1.0;
        }
    }
#pragma cccp register(n, steps, energy_at_start, body[n])

    cool(body, n, steps);
    energy_at_start = energy(body, n);
    long escapes = follow(body, n, steps);

    long marks = 0;
    for (int i = 0; i < n; i++)
        marks += body[i].marked * (long)body[i].id + (body[i].kind == HEAVY);
    printf("steps %d energy %.17g before %.17g after, x of body 0 %.17g, escapes %ld marks %ld\n", steps,
           energy_at_start, energy(body, n), body[0].position[0], escapes, marks);

#pragma cccp shutdown
    free(body);
    return 0;
}
