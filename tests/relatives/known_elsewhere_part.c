#include <stdlib.h>
struct sale { long amount; struct sale *before; };
struct gift { long worth; };
struct stock { int count; struct sale *last; struct gift *gifts; };
struct stock *opened(void)
{
    return calloc(1, sizeof(struct stock));
}
void sold(struct stock *stock, int amount)
{
    struct sale *sale = malloc(sizeof *sale);
    sale->amount = amount;
    sale->before = stock->last;
    stock->last = sale;
    stock->count++;
}
long earned(struct stock *stock)
{
    long sum = stock->gifts ? stock->gifts->worth : 0;
    for (struct sale *sale = stock->last; sale; sale = sale->before)
        sum = 3 * sum + sale->amount;
    return sum;
}
