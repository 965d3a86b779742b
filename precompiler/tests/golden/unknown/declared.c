/* One of each: names, none, const, callbacks, structs by value, files, variable arguments, and what is not unknown. */
#include <stdio.h>
#include <stdlib.h>

struct list { struct list *next; double v[3]; };
struct plain { double v[3]; };
typedef int (*compare)(const void *a, const void *b, int flags);

double solve(double *x, FILE *log, int n, const char *title);
extern int no_names(int, const char *, double *, ...);
struct list *list_sort(struct list *new, compare cmp, const struct list *const p, struct plain q, struct list r);
void (*handler_of(int number, void (*handler)(int again, void *data)))(int, void *);
void copy(void *restrict to, const void *restrict from, unsigned char bytes[]);
void print_any(const char *format, ...);
int later(int n);
int by_name(const void *, const void *, int);
static void (*const table[])(const char *, ...) = { print_any };
static inline int helper(int x) { return later(x); }
void promised(double *x);
#pragma cccp client(promised)

int main(int argc, char **argv)
{
#pragma cccp init
    double x[3] = {0};
    FILE *log = fopen("log", "w");
    struct list l = {0};
    struct plain q = {{0}};
    solve(x, log, 3, "title");
    no_names(1, "x", x);
    list_sort(&l, by_name, &l, q, l);
    handler_of(3, NULL);
    copy(x, x, (unsigned char *)argv[0]);
    solve(x, log, 3, "again");
    promised(x);
    free(malloc((size_t)(__builtin_expect(argc, 1))));
#pragma cccp checkpoint
    return helper(argc) + table[0] != NULL;
}
