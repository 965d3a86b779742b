/* follow(x) where the types of pointers do not say what they lead to: `void *`, a struct that others begin like, the middle
 * of an array. Only the other file knows what there is, and two kinds of blocks are equally long. */
#include <stdio.h>

struct shape {
    int kind;
    double (*area)(struct shape *);
};

struct figure {
    struct shape *shape; /* the beginning of a circle or a square */
    void *parts;         /* numbers or weights, equally long */
    void *nothing;
    void (*finish)(void);
    double *table; /* points one element into its block */
};

struct figure *draw(void);
struct shape *square(double side);
double sum(struct figure *figure);
void grow(struct figure *figure);
void turn(struct figure *figure);

int main(void)
{
#pragma cccp init
    struct figure *figure = draw();
    int step;
#pragma cccp register(follow(figure), step)
    for (step = 0; step < 6; step++) {
        if (step == 3)
            figure->shape = square(step);
        if (step % 2 == 1)
            turn(figure);
#pragma cccp checkpoint
        printf("%d %.17g %.17g\n", step, figure->shape->area(figure->shape), sum(figure));
        grow(figure);
    }
    printf("%d %.17g\n", figure->shape->kind, figure->table[-1]);
#pragma cccp shutdown
    return 0;
}
