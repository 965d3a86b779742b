/* Blocks that another file, which knows nothing of checkpoints, allocates and gives back. */
#include <stdio.h>

struct queue;
struct queue *queue_new(void);
void queue_put(struct queue *, double);
double queue_take(struct queue *);
double *numbers(int count);
void give_back(void *);

struct queue {
    struct link {
        double value;
        struct link *next;
    } *first, **last;
};

int main(void)
{
    struct queue *queue;
    double *table = NULL;
    int step;
#pragma cccp init
    queue = queue_new();
#pragma cccp register(step, follow(queue), table[])
    for (step = 1; step < 7; step++) {
        give_back(table);
        table = numbers(step);
        queue_put(queue, step);
        queue_put(queue, table[step - 1]);
#pragma cccp checkpoint
        printf("%g %g\n", queue_take(queue), table[step / 2]);
    }
#pragma cccp shutdown
    return 0;
}
