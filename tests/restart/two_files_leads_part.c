/* What figures are made of: no marks, and the functions that are called through pointers. */
#include <stdlib.h>

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

struct circle {
    int kind;
    double (*area)(struct shape *);
    double *radius;
};

struct square {
    int kind;
    double (*area)(struct shape *);
    double side, scale;
};

struct number {
    long value;
    struct number *next;
};

struct numbers {
    int is_weights, count;
    struct number *first;
};

struct weights {
    int is_weights, number;
    double *all;
};

struct figure *draw(void);
struct shape *square(double side);
double sum(struct figure *figure);
void grow(struct figure *figure);
void turn(struct figure *figure);

static void *get(size_t size)
{
    return malloc(size);
}

static double circle_area(struct shape *shape)
{
    struct circle *circle = (struct circle *)shape;
    return *circle->radius * *circle->radius;
}

static double square_area(struct shape *shape)
{
    struct square *square = (struct square *)shape;
    return square->side * square->side * square->scale;
}

static struct shape *circle(double radius)
{
    struct circle *circle = get(sizeof(struct circle));
    circle->kind = 1;
    circle->area = circle_area;
    circle->radius = get(sizeof(double));
    *circle->radius = radius;
    return (struct shape *)circle;
}

struct shape *square(double side)
{
    struct square *square = get(sizeof(struct square));
    square->kind = 2;
    square->area = square_area;
    square->side = side;
    square->scale = 1;
    return (struct shape *)square;
}

#define NEW(type) ((type *)get(sizeof(type)))

static struct numbers *no_numbers(void)
{
    struct numbers *numbers = NEW(struct numbers);
    numbers->is_weights = 0;
    numbers->count = 0;
    numbers->first = NULL;
    return numbers;
}

static struct weights *one_weight(double weight)
{
    struct weights *weights = get(sizeof *weights);
    weights->is_weights = 1;
    weights->number = 1;
    weights->all = get(8 * sizeof(double));
    weights->all[0] = weight;
    return weights;
}

struct figure *draw(void)
{
    struct figure *figure = malloc(sizeof *figure);
    figure->shape = circle(1.5);
    figure->parts = no_numbers();
    figure->nothing = NULL;
    figure->finish = NULL;
    figure->table = malloc(4 * sizeof(double));
    for (int i = 0; i < 4; i++)
        figure->table[i] = i;
    figure->table++;
    return figure;
}

double sum(struct figure *figure)
{
    double sum = figure->table[-1] + figure->table[2];
    struct numbers *numbers = figure->parts;
    if (!numbers->is_weights) {
        for (struct number *number = numbers->first; number; number = number->next)
            sum += number->value;
        return sum;
    }
    struct weights *weights = figure->parts;
    for (int i = 0; i < weights->number; i++)
        sum += weights->all[i];
    return sum;
}

void grow(struct figure *figure)
{
    struct numbers *numbers = figure->parts;
    figure->table[-1] += 0.25;
    if (numbers->is_weights) {
        struct weights *weights = figure->parts;
        weights->all[weights->number++] = 0.5;
    } else {
        struct number *number = NEW(struct number);
        number->value = ++numbers->count;
        number->next = numbers->first;
        numbers->first = number;
    }
    if (figure->shape->kind == 1)
        *((struct circle *)figure->shape)->radius += 1;
    else
        ((struct square *)figure->shape)->scale *= 2;
}

void turn(struct figure *figure)
{
    struct numbers *numbers = figure->parts;
    if (numbers->is_weights)
        figure->parts = no_numbers();
    else
        figure->parts = one_weight(numbers->count);
}
