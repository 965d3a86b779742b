/* A struct that leads to structs of which only the other file knows the members; one of these pointers is NULL in every run. */
#include <stdio.h>
struct stock { int count; struct sale *last; struct gift *gifts; };
struct stock *opened(void);
void sold(struct stock *stock, int amount);
long earned(struct stock *stock);
int main(void)
{
    struct stock *stock = opened();
#pragma cccp init
    int day = 0;
#pragma cccp register(day, follow(stock))
    for (day = 0; day < 12; day++) {
#pragma cccp checkpoint
        if (day % 2)
            sold(stock, 7 * day);
    }
    printf("%d %ld\n", stock->count, earned(stock));
    return 0;
}
