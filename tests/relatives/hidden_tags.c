/* A struct that is handed over by value where another one of its tag hides it. */
#include <stdio.h>
struct s { int a, b; };
static struct s mk(int k) { struct s r = { k, k + 1 }; return r; }
static int f(struct s v, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
#pragma cccp register(i, sum)
#pragma cccp checkpoint
        sum += v.a * i + v.b;
    }
    return sum;
}
int main(void)
{
#pragma cccp init
    int all = 0;
    struct s list[3] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
    for (int k = 0; k < 3; k++) {
#pragma cccp register(k, all, list)
        struct s { char c[3]; } y = { "ab" };
        all += f(mk(k), 3) + f(list[k], 2) + y.c[0];
        printf("%d\n", all);
    }
    return 0;
}
