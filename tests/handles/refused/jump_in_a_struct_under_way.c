/* The same in a struct that is saved as a whole: what `setjmp` has filled in it means nothing in another process.
 * refused: cannot restore `work.error` | it is a handle of a library | jump_in_a_struct_under_way.c:17 */
#include <setjmp.h>
#include <stdio.h>

struct work {
    int limit;
    jmp_buf error;
    double sum;
};

static void steps(struct work *work)
{
    for (int i = 0; i < work->limit; i++) {
        work->sum += work->sum / (i + 1) + 1;
        if (work->sum > 1e9)
            longjmp(work->error, 7);
    }
}

int main(int argc, char **argv)
{
    struct work work = {0};

    (void)argv;
    work.limit = 4000 + argc;
    if (setjmp(work.error)) {
        printf("too large: %g\n", work.sum);
        return 2;
    }
    steps(&work);
    printf("%g\n", work.sum);
    return 0;
}
