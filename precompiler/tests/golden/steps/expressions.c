/* Values, places and what happens to them. */
struct pair { int first, *second; };
struct node { struct node *next; struct pair inside; int many[4]; };

int global, *pointer, table[3][5];
struct node list;
int f(int *p, int n);
struct pair make(void);

int places(struct node *p, int n, int **q)
{
    p->next = p->next->next;
    p->inside.first = n;
    list.inside.second = &p->many[n];
    table[n][2] = table[1][n] + global;
    *q[n] = *(*q + 1);
    2[pointer] = n;
    pointer = table[1];
    pointer = &list.inside.first;
    pointer = *table + n;
    return (*p).many[0];
}

int order(int i, int *a)
{
    a[i] = f(pointer, i) + global;
    global += f(a, global);
    i = f(a, f(&i, 1)) + i;
    *a++ = global++;
    --*a;
    return i, f(a, i);
}

int choices(int c, int *a, int *b)
{
    int *chosen = c ? a : b;
    int same = c ?: global;
    if (c && *a || f(b, c))
        chosen = 0;
    c && (global = 1);
    return sizeof(c) == 4 ? *chosen : same;
}

struct pair structs(struct pair a, int c)
{
    struct pair b = a, d;
    d = c ? b : list.inside;
    d = make();
    d.second = make().second;
    b = d = a;
    (void)c;
    return make();
}

long casts(void *p, double x)
{
    double *d = (double *)p;
    long bits = (long)p & ~7L;
    int whole = (int)x;
    d[0] = x * 2 + whole;
    p = (void *)(bits | 1);
    return (char *)p - (char *)d;
}
