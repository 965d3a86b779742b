/* A macro makes whole functions that allocate, and other pointers lead to their blocks: what these hold is said in them. */
#include <stdio.h>
#include <stdlib.h>

struct vector { double c[3]; };
struct pair { double *first; long second; };
struct holder { void *data; int kind; struct holder *next; };

#define MAKE_CREATE(A, T) \
    static T *create_##A(int n) \
    { \
        T *made = (T *)calloc(n, sizeof(T)); \
        if (made == NULL) { printf("no room for " #A "\n"); exit(1); } \
        return made; \
    }
#define MAKE_DESTROY(A, T) static void destroy_##A(T *gone) { free(gone); }
#define MAKE_ALL(A, T) MAKE_CREATE(A, T); MAKE_DESTROY(A, T);

MAKE_ALL(vector, struct vector)
MAKE_ALL(pair, struct pair)
MAKE_ALL(number, double)
MAKE_ALL(nobodys, struct pair)

static struct holder *list;

static void hold(void *data, int kind)
{
    struct holder *one = malloc(sizeof *one);
    one->data = data;
    one->kind = kind;
    one->next = list;
    list = one;
}

int main(void)
{
    double sum = 0;
    struct pair *pairs = create_pair(2);
    pairs[0].first = create_number(4);
    pairs[1].first = create_number(5);
    hold(pairs, 0);
    hold(create_vector(3), 1);
    hold(create_number(6), 2);
    for (int i = 0; i < 40; i++) {
        struct vector *scratch = create_vector(1);
        for (struct holder *one = list; one; one = one->next)
            switch (one->kind) {
            case 0: ((struct pair *)one->data)[i % 2].first[i % 4] += i; ((struct pair *)one->data)[0].second += i; break;
            case 1: ((struct vector *)one->data)[i % 3].c[1] += sum; break;
            default: sum += ((double *)one->data)[i % 6] += i * 0.25;
            }
        scratch[0].c[i % 3] = pairs[i % 2].first[1] / 3;
        sum += scratch[0].c[i % 3];
        destroy_vector(scratch);
    }
    printf("%.17g %ld\n", sum, pairs[0].second);
    destroy_number(pairs[0].first);
    destroy_pair(pairs);
    return 0;
}
