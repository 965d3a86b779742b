/* Streams in allocated blocks that nobody registers one by one: a list of files, and an array of them. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    FILE *file;
    int number;
    struct node *next;
};

int main(void)
{
#pragma cccp init
    int step;
    struct node *head = NULL;
    FILE **row = malloc(3 * sizeof *row);

    if (row == NULL)
        return 1;
    for (int i = 0; i < 3; i++) {
        char name[30];
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            return 1;
        snprintf(name, sizeof name, "node-%d.txt", i);
        node->file = fopen(name, "w");
        node->number = i;
        node->next = head;
        head = node;
        snprintf(name, sizeof name, "row-%d.txt", i);
        row[i] = fopen(name, "w");
    }
#pragma cccp register(step, follow(head), row[])
    for (step = 0; step < 10; step++) {
#pragma cccp checkpoint
        for (struct node *node = head; node != NULL; node = node->next)
            fprintf(node->file, "%d %d\n", step, node->number);
        for (int i = 0; i < 3; i++)
            fprintf(row[i], "row %d step %d\n", i, step);
    }
#pragma cccp shutdown
    while (head != NULL) {
        struct node *next = head->next;
        fclose(head->file);
        free(head);
        head = next;
    }
    for (int i = 0; i < 3; i++)
        fclose(row[i]);
    free(row);
    return 0;
}
