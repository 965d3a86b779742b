/* A tree whose nodes have arrays of pointers to nodes and to functions of nodes; it grows and is cut at every step. */
#include <stdio.h>
#include <stdlib.h>

enum { BRANCHES = 4 };
typedef struct tree tree;
struct tree {
    tree *child[BRANCHES];
    struct tree *grid[2][2];
    double (*weigh[2])(const tree *);
    double value;
};

static double plain(const tree *one)
{
    return one->value;
}

static double twice(const tree *one)
{
    return 2 * one->value;
}

static tree *grown(double value)
{
    tree *one = calloc(1, sizeof *one);
    one->weigh[0] = plain;
    one->weigh[1] = twice;
    one->value = value;
    return one;
}

static void put(tree *at, int key, double value)
{
    for (; key; key /= BRANCHES) {
        tree **next = &at->child[key % BRANCHES];
        if (!*next)
            *next = grown(value);
        at->grid[key % 2][key / 2 % 2] = *next;
        at = *next;
    }
    at->value += value;
}

static double sum(const tree *at, int which)
{
    double all = 0;
    if (!at)
        return 0;
    for (int i = 0; i < BRANCHES; i++)
        all += sum(at->child[i], !which);
    for (int i = 0; i < 4; i++)
        if (at->grid[i / 2][i % 2])
            all += at->grid[i / 2][i % 2]->value;
    return all + at->weigh[which](at);
}

static void cut(tree *at)
{
    for (int i = 0; at && i < BRANCHES; i++)
        cut(at->child[i]);
    free(at);
}

int main(void)
{
    tree *root = grown(1);
    double total = 0;
    for (int step = 0; step < 24; step++) {
        for (int i = 0; i < 40; i++)
            put(root, (step * 37 + i * 11) % 500, 0.25 * i);
        if (step % 7 == 6) {
            cut(root->child[step % BRANCHES]);
            root->child[step % BRANCHES] = NULL;
            for (int i = 0; i < 4; i++)
                root->grid[i / 2][i % 2] = NULL;
        }
        total += sum(root, step % 2) * (step + 1);
    }
    printf("%.12g\n", total);
    return 0;
}
