/* sizeof and _Alignof of compound literals: in extents, constants, labels and values, by macro, with what may follow. */
#include <stdio.h>

struct s {
    int a, b;
    char m[5];
};
#define SIZE(T) sizeof (T){0}
#define MEMBER sizeof(struct s){1, 2, ""}.m

static int n = sizeof (struct s){1, 2, "x"};
static int m = sizeof(int){1};
static char buf[sizeof (struct s){.m = "ab"}.m + MEMBER];
static int table[SIZE(long)][sizeof (int[]){1, 2, 3} / sizeof(int)];
enum { K = sizeof (struct s){0}.m, A = _Alignof (struct s){0}, E0 = sizeof (struct s){} };

int main(void)
{
    double d[sizeof (char[]){"abc"}] = {0};
    int total = 0, q = 0;
    for (int i = 0; i < 50; i++) {
        switch (i % 6) {
        case sizeof (char[]){1, 2}:
            total += 1;
            break;
        case K:
            total += 5;
            break;
        default:
            total += 7;
        }
        buf[i % sizeof buf] += i;
        table[i % 8][i % 3] += i;
        d[i % (sizeof d / sizeof d[0])] += i;
        q += sizeof(struct s){.a = total++}.a + sizeof (int){1} + sizeof(__alignof__(total)) + __alignof__(buf);
    }
    int sum = 0;
    for (unsigned k = 0; k < sizeof buf; k++)
        sum = sum * 3 + buf[k];
    printf("%d %d %d %d %d %g %d %d %d %d %d\n", sum, n, m, total, q, d[2], table[3][1], K, A, E0, (int)sizeof table);
    return 0;
}
