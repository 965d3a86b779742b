/* init in a loop inside a branch, behind variable-length arrays, two calls deep. */
#include <stdio.h>
struct size { int n; };
typedef struct size size;
static size global = {6};
static double work(size s, int first)
{
    double total = first;
    double weights[s.n];
    for (int k = 0; k < s.n; k++)
        weights[k] = 0;
    if (first > 0) {
        double (*table)[s.n] = &weights;
        (*table)[0] = 1;
        while (first-- > 0) {
            int more[s.n + first];
            if (first == 3) {
#pragma cccp init
                ;
            }
            more[0] = first;
#pragma cccp register(total, weights[s.n], first)
            for (int i = 0; i < 2; i++) {
#pragma cccp register(i, more[1])
                for (int k = 0; k < s.n; k++)
                    total += weights[k] += i * k + more[0];
#pragma cccp checkpoint
                printf("%d %d %g %d\n", first, i, total, more[0]);
            }
        }
    }
    return total;
}
static double helper(int depth)
{
    if (depth > 0)
        return helper(depth - 1);
    return work(global, 4);
}
int main(void)
{
    double x = 1;
#pragma cccp register(x)
    x += helper(1);
#pragma cccp shutdown
    printf("%g\n", x);
    return 0;
}
