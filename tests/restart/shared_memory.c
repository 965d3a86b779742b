/* Pointers into the same memory stay pointers into the same memory, at the same distance; what a restart allocated
 * can be grown and freed. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
#pragma cccp init
    int n = 10, step;
    double *data = malloc(n * sizeof *data);
    double *middle = data + 4, *nothing = NULL;
    struct node *nodes = malloc(4 * sizeof *nodes);
    struct node *head = &nodes[2];

    for (int i = 0; i < n; i++)
        data[i] = i;
    for (int i = 0; i < 4; i++) {
        nodes[i].value = i * i;
        nodes[i].next = &nodes[(i + 1) % 4];
    }
#pragma cccp register(n, step, data[n], middle, nothing, nodes[4], head)

    for (step = 0; step < 6; step++) {
#pragma cccp checkpoint
        *middle += data[step] + head->value;
        head = head->next;
        head->value += (int)(middle - data);
        if (step == 2) {
            data = realloc(data, 2 * n * sizeof *data);
            for (int i = n; i < 2 * n; i++)
                data[i] = 0.5 * i;
            n *= 2;
            middle = data + 11;
#pragma cccp register(data[n])
        }
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum = sum * 0.5 + data[i];
    printf("%.17g %d %d %d %d\n", sum, (int)(middle - data), (int)(head - nodes), head->value, nothing == NULL);
    free(data);
    free(nodes);
#pragma cccp shutdown
    return 0;
}
