// auto resumes 3 9
// assumes the variable with the text has been set before this call
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    char *value;
    struct node *next;
};

static double words(struct node *node)
{
    double sum = 0;
    for (char *word = strtok(node->value, " "); word; word = strtok(NULL, " "))
        sum += atof(word);
    return sum;
}

static struct node *made(struct node *next)
{
    struct node *node = malloc(sizeof *node);
    node->value = NULL;
    node->next = next;
    return node;
}

int main(void)
{
    double sum = 0;
    struct node *list = NULL;
    for (int i = 0; i < 6; i++) {
        list = made(list);
        list->value = malloc(64);
    }
    for (int i = 0; i < 12; i++) {
        for (struct node *node = list; node; node = node->next) {
            snprintf(node->value, 64, "%d and %d", i, 3 * i);
            sum += words(node);
        }
        for (int k = 1; k < 1000; k++)
            sum += 1.0 / (k + sum);
    }
    printf("%.17g\n", sum);
    return 0;
}
