/* Locks in structs on the heap, behind pointers to pointers, in a list, and in arrays at file scope: nothing makes them again but the
   restart. They are initialised behind checkpoints of an earlier loop. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct cell {
    long value;
    omp_lock_t lock;
    char kind;
};
struct node {
    omp_nest_lock_t guard;
    struct node *next;
    long value;
};
static struct {
    int count;
    omp_nest_lock_t lock;
} ends[2];
static omp_lock_t stripes[2][3];

static struct node *push(struct node *list, long value)
{
    struct node *one = malloc(sizeof *one);
    one->value = value;
    one->next = list;
    omp_init_nest_lock(&one->guard);
    return one;
}

static void add(struct node *list, long step)
{
    for (; list; list = list->next) {
        omp_set_nest_lock(&list->guard);
        omp_set_nest_lock(&list->guard);
        list->value += step;
        omp_unset_nest_lock(&list->guard);
        omp_unset_nest_lock(&list->guard);
    }
}

int main(void)
{
    int n = 12;
    long sum = 0;
    unsigned *noise = malloc(64 * sizeof *noise);
    struct cell *mesh = NULL;
    struct node *list = NULL;
    omp_lock_t **rows = NULL;
#pragma cccp init
#pragma cccp register(sum, noise[64], mesh[], follow(list), follow(rows), ends, stripes)
    for (int i = 0; i < 64; i++)
        noise[i] = i * 2654435761u;
    for (int step = 0; step < 6; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 64; i++)
            sum += noise[i] >> step;
    }
    mesh = malloc(n * sizeof *mesh);
    rows = malloc(n * sizeof *rows);
    for (int i = 0; i < n; i++) {
        mesh[i].value = i;
        mesh[i].kind = (char)i;
        omp_init_lock(&mesh[i].lock);
        rows[i] = malloc((i + 1) * sizeof **rows);
        for (int j = 0; j <= i; j++)
            omp_init_lock(&rows[i][j]);
        list = push(list, i);
    }
    for (int i = 0; i < 6; i++)
        omp_init_lock(&stripes[i / 3][i % 3]);
    omp_init_nest_lock(&ends[0].lock);
    omp_init_nest_lock(&ends[1].lock);
    for (int step = 0; step < 20; step++) {
#pragma cccp register(step)
#pragma cccp checkpoint
#pragma omp parallel for
        for (int i = 0; i < 200; i++) {
            int k = (i * 7 + step) % n;
            omp_set_lock(&mesh[k].lock);
            mesh[k].value += noise[6 + i % 58] & 255;
            omp_unset_lock(&mesh[k].lock);
            omp_set_lock(&rows[k][k / 2]);
            mesh[k].kind++;
            omp_unset_lock(&rows[k][k / 2]);
            omp_set_nest_lock(&ends[k % 2].lock);
            ends[k % 2].count += k;
            omp_unset_nest_lock(&ends[k % 2].lock);
            omp_set_lock(&stripes[i % 2][i % 3]);
            noise[i % 6]++;
            omp_unset_lock(&stripes[i % 2][i % 3]);
        }
#pragma omp parallel
        add(list, step * (omp_get_num_threads() > 0));
    }
#pragma cccp shutdown
    for (int i = 0; i < n; i++)
        sum = sum * 31 + mesh[i].value * 7 + mesh[i].kind;
    for (; list; list = list->next)
        sum = sum * 31 + list->value;
    printf("%ld %d %d\n", sum, ends[0].count, ends[1].count);
    return 0;
}
