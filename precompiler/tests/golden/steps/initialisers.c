/* What stands in braces, and where it goes. */
int i, j, k;
struct in { int *a; int b[2]; int *c; };
struct out { struct in in; union { int *u; long v; }; int : 3; int *last; struct in more[2]; };

struct out plain = { { &i, { 1, 2 }, &j }, { &k }, &i };
struct out flat = { &i, 1, 2, &j, &k, &i, &j, 3, 4, &k, &i };
struct out named = { .in.c = &i, .u = &j, &k, .more[1].a = &i, 5, 6, &j, .in = { .a = &k } };
int *several[] = { [2] = &i, &j, [0] = &k, [4 ... 6] = &i };
char text[] = "text", braced[] = { "text" }, *words[2] = { "one", "two" };
int square[2][2] = { 1, 2, { 3 } };

int use(struct in *p, int n)
{
    static int *kept = &i;
    struct in local = { .c = p->a, .b = { n } }, copy = local;
    struct in *made = &(struct in){ &n, .c = kept };
    struct out whole = { local, .more = { *p, copy } };
    int row[n], *q[2] = { row };
    char name[8] = "name";
    extern int i;
    int called[3] = { use(p, 1), n, use(p, i) };
    return called[0] + sizeof row + row[0] + *whole.in.a + name[n] + *made->c + *q[1];
}
