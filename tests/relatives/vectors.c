/* Vectors of the compiler: in structs, arrays and memory, through a typedef, and at file scope. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
typedef float v4 __attribute__((vector_size(16)));
typedef v4 quad;
typedef double pair __attribute__((__vector_size__(2 * sizeof(double))));
typedef int vi __attribute__((vector_size(8)));
struct particle { quad x, v; vi cell; int id; };
static quad drift = {0.1f, 0.2f, 0.3f, 0.4f};
static vi counts[5];
static double work(int n) { double s = 0; for (int i = 0; i < 2000; i++) s += sin(i + n); return s; }
int main(void)
{
    double total = 0;
    int n = 10;
    struct particle *p = aligned_alloc(16, n * sizeof *p);
    quad *field = aligned_alloc(16, n * sizeof *field);
    memset(p, 0, n * sizeof *p);
    memset(field, 0, n * sizeof *field);
    pair acc = {0, 0};
    for (int step = 0; step < 15; step++) {
        total += work(step);
        quad force = drift * (float)step;
        for (int i = 0; i < n; i++) {
            p[i].v += force * 0.01f;
            p[i].x += p[i].v;
            p[i].cell += (vi){step, i};
            field[i] = field[(i + 1) % n] * 0.5f + p[i].x;
        }
        counts[step % 5][step % 2] += step;
        drift[step % 4] *= 1.01f;
        acc += (pair){total, step};
    }
    for (int i = 0; i < n; i++)
        total += p[i].x[1] + p[i].cell[0] * 3 + field[i][2];
    for (int i = 0; i < 5; i++)
        total += counts[i][0] - counts[i][1];
    printf("%.10f %.10f %.10f\n", total, acc[0], acc[1]);
    return 0;
}
