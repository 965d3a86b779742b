/* Structs of a block that are parts of others and lead to others, to themselves, and through `void *`. */
#include <stdio.h>
#include <stdlib.h>

static double use(int step, double *s)
{
    s[step % 4] += step;
    return s[1];
}

int main(void)
{
    struct pair { double a, b; };
    struct big {
        struct pair p;
        struct pair *q;
        void *any;
        struct big *chain;
        double (*f)(int, double *);
        void (*g)(struct pair *);
    };
    struct big *b = calloc(1, sizeof *b);
    if (!b)
        return 1;
    b->q = calloc(4, sizeof(struct pair));
    b->any = calloc(3, sizeof(struct pair));
    if (!b->q || !b->any)
        return 1;
    b->chain = b;
    b->f = use;
    double s[4] = {0};
    for (int step = 0; step < 100; step++) {
        b->q[step % 4].a += b->f(step, s);
        ((struct pair *)b->any)[step % 3].b += b->chain->p.a++;
    }
    printf("%.17g %.17g %.17g\n", b->q[2].a, ((struct pair *)b->any)[1].b, s[2]);
    return 0;
}
