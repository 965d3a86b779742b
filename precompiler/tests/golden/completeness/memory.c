/* Memory: lists, pointers that follow their memory, structs behind pointers, handles. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct state {
    double energy;
    int step;
    double *field;
};

static struct node *head;

static void push(int value)
{
    struct node *one = malloc(sizeof *one);
    one->value = value;
    one->next = head;
    head = one;
}

static void push_registered(struct node **list, int value)
{
    struct node *one = malloc(sizeof *one);
#pragma cccp register(one[1])
    one->value = value;
    one->next = *list;
    *list = one;
}

static long total(const struct node *list)
{
    long sum = 0;
    for (; list != NULL; list = list->next)
        sum += list->value;
    return sum;
}

static struct state *make(int n)
{
    struct state *s = malloc(sizeof *s);
    s->energy = 1.0;
    s->step = 0;
    s->field = calloc(n, sizeof *s->field);
    return s;
}

int main(void)
{
    struct state *s = make(10);
    struct node *good = NULL;
#pragma cccp init
    FILE *log = fopen("log", "w");
    double *work = malloc(10 * sizeof *work);
    int k;
#pragma cccp register(k, head, good, s->step, work[10])
    for (k = 0; k < 5; k++) {
        push(k);
        push_registered(&good, k);
    }
    for (k = 0; k < 100; k++) {
        /* must: head[…] missing, s->energy missing, s->field[…] missing, log missing */
        /* should: s held, s->step held, s->field held, good held, good[…] held, work held */
#pragma cccp checkpoint
        for (int i = 0; i < 10; i++)
            work[i] = s->field[i] * k;
        for (int i = 0; i < 10; i++)
            s->field[i] += work[i];
        s->energy += s->field[k % 10];
        s->step++;
        fprintf(log, "%g\n", s->energy);
    }
    printf("%ld %ld %g %d\n", total(head), total(good), s->energy, s->step);
#pragma cccp shutdown
    return 0;
}
