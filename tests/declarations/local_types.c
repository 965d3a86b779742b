/* Types that are declared in blocks: tags, typedefs, anonymous and nested structs, bit-fields, unions, enums; lists and arrays of
   them; two functions with the same name, and one that hides a name of the file; live in a caller while a callee has the
   checkpoint. */
#include <stdio.h>
#include <stdlib.h>

struct node { char other[3]; };
typedef float real;
static struct node outer = {"ab"};

static long count(long steps)
{
    struct node { long value; struct node *next; unsigned odd : 1, low : 5; } *head = NULL;
    long sum = 0;
    for (long i = 0; i < steps; i++) {
        struct node *one = malloc(sizeof *one);
        if (!one)
            abort();
        one->value = i * 3;
        one->odd = i & 1;
        one->low = i & 31;
        one->next = head;
        head = one;
        sum += i;
    }
    for (struct node *one = head; one; one = one->next)
        sum += one->value * (1 + one->odd) + one->low;
    return sum;
}

static double work(double x, long step)
{
    typedef struct node { double weight; struct node *left, *right; } tree;
    tree *root = NULL;
    for (int i = 0; i < 4; i++) {
        tree *one = malloc(sizeof(tree));
        if (!one)
            abort();
        one->weight = x + i;
        one->left = i & 1 ? root : NULL;
        one->right = i & 1 ? NULL : root;
        root = one;
    }
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += root->weight * i;
        for (long j = 0; j < step % 7; j++)
            sum += 0.125 * j;
    }
    while (root) {
        tree *next = root->left ? root->left : root->right;
        sum += root->weight;
        free(root);
        root = next;
    }
    return sum;
}

int main(void)
{
    typedef double real;
    enum { N = 6, M = 2 * N };
    enum colour { RED, GREEN, BLUE } paint[N];
    typedef struct { real x, y; struct { int at; enum colour of; } mark; } point;
    struct { int kind; union { double d; long l; } as; struct { short a; char b; }; } cells[M];
    point *points = malloc(M * sizeof(point)), last = {0};
    struct list { point here; struct list *next; } *list = NULL;
    static struct { long calls; double best; } record;
    if (!points)
        return 1;
    for (int i = 0; i < M; i++) {
        points[i].x = i;
        points[i].y = 1.0 / (i + 1);
        points[i].mark.at = i;
        points[i].mark.of = (enum colour)(i % 3);
        cells[i].kind = i;
        cells[i].as.l = i;
        cells[i].a = (short)i;
        cells[i].b = 'a';
        paint[i % N] = BLUE;
    }
    for (long step = 0; step < 400; step++) {
        for (int i = 0; i < M; i++) {
            points[i].x += points[i].y * 0.5 + cells[i].a;
            points[i].mark.of = (enum colour)((points[i].mark.of + 1) % 3);
            cells[i].kind++;
            cells[i].as.l += points[i].mark.at;
        }
        if (step % 40 == 0) {
            struct list *one = malloc(sizeof(struct list));
            if (!one)
                return 1;
            one->here = points[step % M];
            one->next = list;
            list = one;
        }
        paint[step % N] = points[step % M].mark.of;
        last = points[step % M];
        record.calls++;
        record.best += work(last.x, step);
    }
    double sum = last.x;
    long marks = 0;
    for (struct list *one = list; one; one = one->next)
        sum += one->here.x;
    for (int i = 0; i < M; i++)
        marks += cells[i].kind + cells[i].as.l + cells[i].a + cells[i].b + paint[i % N];
    printf("%.17g %ld %ld %.17g %ld %s\n", sum, marks, record.calls, record.best, count(50), outer.other);
    return 0;
}
