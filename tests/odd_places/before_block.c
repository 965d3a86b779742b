/* Pointers before the beginning of their block, by a way that no analysis follows.
   stops: `v[1:n]` are n elements from `v + 1` on */
#include <stdio.h>
#include <stdlib.h>

struct holder { double *at; };

int main(int argc, char **argv)
{
    int i, n = 10;
    double *v = malloc(n * sizeof *v);
    struct holder holder = { v };
    holder.at -= 2 * argc;
    holder.at += argc;
    for (int k = 0; k < n; k++)
        v[k] = k;
#pragma cccp init
#pragma cccp register(i, n, v[n], holder)
    for (i = 0; i < 5; i++) {
#pragma cccp checkpoint
        holder.at[1 + i] += v[i];
    }
    printf("%g\n", holder.at[5]);
#pragma cccp shutdown
    free(v);
    return 0;
}
