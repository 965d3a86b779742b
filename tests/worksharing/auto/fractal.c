/* Points of unequal work, handed out to the thread that comes first; the points are found in a function. */
#include <omp.h>
#include <stdio.h>

#define WIDTH 40
#define HEIGHT 90

static int image[HEIGHT][WIDTH];

static int escapes(double re, double im)
{
    double x = 0, y = 0;
    int n = 0;
    while (x * x + y * y < 4 && n < 300) {
        double next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
        n++;
    }
    return n;
}

static void row(int y)
{
    for (int x = 0; x < WIDTH; x++)
        image[y][x] = escapes(-2 + 3.0 * x / WIDTH, -1 + 2.0 * y / HEIGHT);
}

int main(void)
{
    long sum = 0;
#pragma omp parallel
    {
        int mine = 0;
#pragma omp for schedule(dynamic)
        for (int y = 0; y < HEIGHT; y++) {
            row(y);
            mine++;
        }
#pragma omp atomic
        sum += mine;
    }
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            sum = sum * 31 % 1000003 + image[y][x];
    printf("%ld\n", sum);
    return 0;
}
