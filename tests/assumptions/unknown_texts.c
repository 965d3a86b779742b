// auto resumes 3 17
// assumes `report`, which is in no file given, keeps nothing of its own that a restart would need, and changes nothing but what it is handed without `const`
// beside unknown_texts_part.c
/* Texts and numbers for functions that nobody knows: in structs that hold pointers, behind a format, and with a call back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int report(const char *what, const double *values, int n);
int say(int level, const char *format, ...);
int query(const char *text, int (*row)(void *, const char *), void *data);

struct grid {
    int n;
    double *u;
    char name[32];
    struct grid *next;
};

static struct grid *first;
static char last[64];
static int rows;

static int count(void *data, const char *text)
{
    *(int *)data += (int)strlen(text);
    return 0;
}

int main(void)
{
    first = calloc(1, sizeof *first);
    if (!first || !(first->u = calloc(8, sizeof(double))))
        return 1;
    first->n = 8;
    strcpy(first->name, "one");
    double *u = first->u;
    struct grid local = *first;
    for (int step = 0; step < 20; step++) {
        for (int i = 0; i < 8; i++) {
            u[i] += 0.5 * i + step;
            local.u[i] += first->u[i] * 0.25;
        }
        say(2, "step %d of %s: %g, %s\n", step, first->name, u[3], local.name);
        report(local.name, first->u, first->n);
        snprintf(last, sizeof last, "insert %d", step);
        query(last, count, &rows);
    }
    printf("%.17g %s %s %d\n", u[3], first->name, last, rows);
    return 0;
}
