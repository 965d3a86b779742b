/* Functions that nobody knows: the refusal names them, and says what to do. */
#include <stdio.h>
#include <stdlib.h>

extern void *get_aligned(size_t bytes, size_t alignment);

int main(void)
{
    /* refused: what `u` points to | what `get_aligned` may do is unknown | say what they do in a file for `--catalog` */
    double *u = get_aligned(1000 * sizeof *u, 64);
    for (int k = 0; k < 1000; k++)
        u[k] = k;
    for (int i = 0; i < 100000; i++)
        for (int k = 1; k < 999; k++)
            u[k] = (u[k - 1] + u[k + 1]) / 2;
    printf("%g\n", u[500]);
    return 0;
}
