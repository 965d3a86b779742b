/* The histories of particles, one after the other, for each job of a file; here there is one. What a particle does on its way is
 * counted in the same few places again and again, by a function without a loop. */
#include <stdio.h>

struct particle {
    double depth, weight;
    unsigned state;
};

static double absorbed[16];

static void launch(struct particle *particle, unsigned seed)
{
    particle->depth = 0.5;
    particle->weight = 1.0;
    particle->state = seed;
}

static void move(struct particle *particle, double length)
{
    particle->state = particle->state * 1664525u + 1013904223u;
    particle->depth += length * ((particle->state >> 16) / 32768.0 - 0.9);
    unsigned place = particle->state >> 28;
    absorbed[place] += 0.125 * particle->weight;
    particle->weight *= 0.875;
}

static void follow(long histories, double length)
{
    struct particle particle;
    do {
        launch(&particle, (unsigned)histories);
        do {
            move(&particle, length);
        } while (particle.depth > 0.0 && particle.weight > 0.001);
    } while (--histories);
}

int main(void)
{
    double length;
    long histories;
    FILE *jobs = fopen("jobs.txt", "w");
    fprintf(jobs, "0.75 50\n");
    fclose(jobs);
    jobs = fopen("jobs.txt", "r");
    while (fscanf(jobs, "%lf %ld", &length, &histories) == 2) {
        follow(histories, length);
        printf("%.17g %.17g\n", absorbed[0], absorbed[15]);
    }
    fclose(jobs);
    return 0;
}
