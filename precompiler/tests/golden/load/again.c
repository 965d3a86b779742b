/* The set-up has as many loops inside each other as the time steps, and more, but it goes over its data once. */
#include <stdio.h>
#include <stdlib.h>

struct particle { double x, v, charge; };

static double *grid;
static struct particle *particles;
static long count;

static int digits(unsigned long n)
{
    int found = 0;
    while (n >>= 1) /* not selected */
        found++;
    return found;
}

static void place(int width, int height, int most)
{
    long next = 0;
    for (int x = 0; x < width; x++) /* selected */
        for (int y = 0; y < height; y++) { /* not selected */
            for (int p = 0; p < most; p++) { /* not selected */
                particles[next].x = x + 0.5;
                particles[next].v = y + digits(next);
                next++;
            }
        }
    count = next;
}

/* What a row is depends on its number: each call fills another one. */
static void fill(double *row, int height)
{
    for (int y = 0; y < height; y++) /* not selected */
        row[y] = y % 2 ? 1.0 : -1.0;
}

/* The step is printed now and then; what is done is the same in every one. */
static void move(int step)
{
    for (long i = 0; i < count; i++) { /* not selected */
        particles[i].v += particles[i].charge * grid[i % 8];
        particles[i].x += particles[i].v;
    }
    if (step % 100 == 0)
        printf("%d\n", step);
}

int main(int argc, char **argv)
{
    int width = atoi(argv[1]), height = atoi(argv[2]), most = atoi(argv[3]), steps = atoi(argv[4]);
    grid = malloc(sizeof *grid * width * height);
    particles = calloc((size_t)width * height * most, sizeof *particles);
    for (int x = 0; x < width; x++) /* not selected */
        fill(&grid[x * height], height);
    place(width, height, most);
    for (int step = 0; step < steps; step++) /* selected */
        move(step);
    printf("%g\n", particles[0].x + argc);
    return 0;
}
