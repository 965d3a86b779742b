/* Constants of a shared library and its functions, in globals, blocks of memory, locals and an argument. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <kinds.h>

struct choice { const struct kind *kind; const char *name; double (*step)(double); struct choice *next; char *text; };
static const struct kind *global;

static double steps(const struct kind *given, struct choice *all, int count)
{
    double sum = 0;
    const struct kind *local = kind_first;
    const char *words = described(given);
    for (int i = 0; i < count; i++) {
        for (struct choice *one = all; one; one = one->next)
            sum += one->step(sum + i) * one->kind->order + strlen(one->name) + strlen(one->text);
        sum = given->step(sum) * local->order / (1e3 + sum) + global->order + words[i % 3];
        if (i % 3 == 0) global = global == kind_first ? given : kind_first;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int is_odd = argc > 1 && strcmp(argv[1], "library") == 0;
    struct choice *all = NULL;
    global = kind_second;
    for (int i = 0; i < 3; i++) {
        struct choice *one = malloc(sizeof *one);
#ifdef NAMED
        one->kind = &kind_named;
        one->name = "name";
        one->step = kind_named.step;
#else
        one->kind = i ? kind_first : kind_second;
        one->name = one->kind->name;
        one->step = one->kind->step;
#endif
        one->text = i == 1 && is_odd ? of_library() : "text";
        one->next = all;
        all = one;
    }
    printf("%.17g\n", steps(&kind_named, all, 40));
    return 0;
}
