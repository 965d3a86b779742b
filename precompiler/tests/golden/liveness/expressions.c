/* What is evaluated or not, statement expressions, variable-length arrays, compound literals. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct pair { int a, b; };

static struct pair make(int n)
{
    struct pair p = {n, n + 1};
    return p;
}

static int sum(const struct pair *p)
{
    return p->a + p->b;
}

int main(int argc, char **argv)
{
    int a = argc, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, n = argc + 2;
    int vla[n];
    int *room = alloca(n * sizeof *room);
    struct pair p = make(argc), q = make(2);
    for (int i = 0; i < n; i++)
        vla[i] = room[i] = i;
    /* must: a live, b live, d live, f live, n live, vla live, room live, heap@23[] live, p.b live, argc live */
    /* should: c dead, e dead, g dead, q dead, p.a dead */
#pragma cccp checkpoint
    if (argc > 1 && (b = 1))
        a++;
    c = argc > 2 ? 1 : 2;
    argc > 3 ? (d = 1) : (e = 1);
    e = 2;
    f = ({ int t = f; if (t) t++; t; });
    g = ({ int t = 3; t + 1; });
    q = make(argc);
    p.a = 1;
    printf("%d %d %d %d %d %d %d\n", a, b, c, d, e, f, g);
    printf("%d %d %d\n", vla[1], room[1], sum(&p) + sum(&q) + sum(&(struct pair){argc, 2}));
    return n;
}
