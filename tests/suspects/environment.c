/* Texts of options: those of the program, or of the environment where it has one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options { int n; char **val; int *set; };
static const char *names[] = { "OPTION_A", "OPTION_B", "OPTION_C" };

static struct options *create(void)
{
    struct options *g = malloc(sizeof *g);
    g->n = 3;
    g->val = malloc(g->n * sizeof(char *));
    g->set = calloc(g->n, sizeof(int));
    for (int i = 0; i < g->n; i++)
        g->val[i] = i == 2 ? (char *)"7" : NULL;
    return g;
}

static void environment(struct options *g)
{
    char *value;
    for (int i = 0; i < g->n; i++)
        if ((value = getenv(names[i])) != NULL) {
            g->val[i] = value;
            g->set[i] = 1;
        }
}

int main(void)
{
    struct options *g = create();
    double sum = 0;
    environment(g);
    for (int pass = 0; pass < 300; pass++) {
        for (int i = 0; i < g->n; i++)
            if (g->val[i])
                sum += atof(g->val[i]) / (pass + 1);
    }
    printf("%.17g\n", sum);
    return 0;
}
