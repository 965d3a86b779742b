/* Marks by hand for variables whose types are declared in the function, with and without a tag. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    struct node { int a; struct node *next; } *head = NULL;
    struct { double x[3]; int n; } box = {{1, 2, 3}, 4}, *boxes = malloc(5 * sizeof *boxes);
    long step = 0;
    if (!boxes)
        return 1;
    for (int i = 0; i < 5; i++)
        boxes[i] = box;
#pragma cccp init
#pragma cccp register(step, follow(head), box, boxes[5])
    for (step = 0; step < 100; step++) {
#pragma cccp checkpoint
        struct node *n = malloc(sizeof *n);
        if (!n)
            return 1;
        n->a = (int)step;
        n->next = head;
        head = n;
        box.x[step % 3] += box.n;
        boxes[step % 5].n += n->a;
    }
    long sum = 0;
    for (struct node *n = head; n; n = n->next)
        sum += n->a;
    printf("%ld %g %d\n", sum, box.x[1], boxes[3].n);
#pragma cccp shutdown
    return 0;
}
