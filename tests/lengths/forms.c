/* Memory of many kinds, with one item each. The first argument names the item that is wrong, the second one tells by how many
 * elements; without them all are right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef float real;
#define NEW(type, count) ((type *)malloc((count) * sizeof(type)))

struct field {
    long n;
    real *cells;
    int row[30];
};

double *rod(long n);
void *grown(void *block, long bytes);

static short table[500];
static const char *wrong = "";
static long by;

/* How many elements the item registers. */
static long count(const char *name, long n)
{
    return strcmp(name, wrong) == 0 ? n + by : n;
}

int main(int argc, char **argv)
{
#pragma cccp init
    if (argc > 2) {
        wrong = argv[1];
        by = atol(argv[2]);
    }
    long n = 1000 + (argc > 100), step, i;
    struct field field, *f = &field;
    memset(f, 0, sizeof *f);
    f->cells = malloc(n * sizeof *f->cells);
    double *plain = malloc(n * sizeof *plain), *helped = rod(n), *again = rod(10), *aligned = NULL, *large = rod(200 * n);
    int *made = NEW(int, n);
    again = grown(again, n * sizeof *again);
    double(*flat)[4] = calloc(n, sizeof *flat);
    char *text = malloc(strlen("nineteen characters") + 1);
    strcpy(text, "nineteen characters");
    double *middle = plain + 10, *whole = calloc(n, sizeof *whole), *half = whole + n / 2;
    double vla[n];
    if (posix_memalign((void **)&aligned, 64, n * sizeof *aligned) != 0)
        return 1;
    for (i = 0; i < n; i++) {
        plain[i] = helped[i] = again[i] = aligned[i] = large[200 * i] = vla[i] = i;
        f->cells[i] = made[i] = i;
        flat[i][3] = i;
    }

    long a = count("plain", n), b = count("f->cells", n), c = count("helped", n), d = count("made", n);
    long e = count("again", n), g = count("flat", n), h = count("table", 500), k = count("f->row", 30);
    long l = count("large", 200 * n), m = count("text", 20), o = count("aligned", n);
#pragma cccp register(n, step, plain[a], f->cells[b], helped[c], made[d], again[e], flat[g][4], table[h], f->row[k], large[l])
#pragma cccp register(text[m], aligned[o], middle[5], whole[0:n / 2], half[n - n / 2], vla, f->n)
    for (step = 0; step < 2; step++) {
#pragma cccp checkpoint
        for (i = 0; i < n; i++) {
            plain[i] += helped[i] + again[i] + aligned[i] + large[200 * i] + f->cells[i] + made[i] + flat[i][3] + vla[i];
            table[i % 500]++;
            f->row[i % 30]++;
            whole[i]++;
        }
        middle[0] += half[0];
    }
    printf("%g %s %d %d\n", plain[n - 1] + middle[0], text, table[1], f->row[1]);
#pragma cccp shutdown
    return 0;
}
