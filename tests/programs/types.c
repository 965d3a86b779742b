/* A value of every kind that a checkpoint can hold, for tests that compare what is said about them. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAYERS = 3 };
#define NAMES 7

enum colour { RED, GREEN };
union either {
    double number;
    char text[11];
};
struct inner {
    char tag[5];
    short level;
    bool on;
};
struct cell {
    unsigned kind : 3;
    unsigned long long serial : 40;
    signed char sign;
    struct inner inner[2];
    union either either;
    float weight;
    enum colour colour;
    long double exact;
};

static double plane[LAYERS][4];
static struct cell cells[5];
static char letters[NAMES];

int main(int argc, char **argv)
{
#pragma cccp init
    int n = argc > 1 ? atoi(argv[1]) : 10;
    long m = argc > 2 ? atol(argv[2]) : 20;
    bool flag = n > 3;
    char letter = 'a';
    short little[3] = {1, 2, 3};
    uint64_t wide = 7;
    uint8_t octets[6] = {0};
    float _Complex turn = 1.0f;
    double _Complex turns[2] = {1.0, 2.0};
    long double exact = 1.0L;
    enum colour colour = GREEN;
    union either either = {1.5};
    double *grid = calloc((size_t)(n * m), sizeof *grid);
    char *text = calloc((size_t)n, 1);
    struct cell *heap = calloc((size_t)m, sizeof *heap);
    float row[n + 1];
    if (grid == NULL || text == NULL || heap == NULL)
        return 1;
    for (int i = 0; i <= n; i++)
        row[i] = (float)i;
#pragma cccp register(n, m, flag, letter, little, wide, octets, turn, turns, exact, colour, either)
#pragma cccp register(plane, cells, letters, grid[n][m], text[n], heap[m], row, cells[1].inner, cells[2].weight)
    for (int i = 0; i < n; i++) {
#pragma cccp checkpoint every(5)
        grid[i] += row[i] + little[i % 3] + exact + creal(turns[i % 2]) + crealf(turn) + either.number;
        plane[i % LAYERS][i % 4] += grid[i];
        cells[i % 5].serial++;
        heap[i % m].weight += 1.0f;
        letters[i % NAMES] = text[i % n] = letter;
        octets[i % 6] += (uint8_t)wide;
    }
    printf("%g %g %d %d %d %d\n", plane[1][1], (double)heap[0].weight, octets[0], letters[0], flag, colour == GREEN);
#pragma cccp shutdown
    free(grid);
    free(text);
    free(heap);
    return 0;
}
