/* The place where errors come back to lies in a struct of the caller that is saved as a whole, and one more in one of the file: the jump comes after the
 * restart, to where this process has set it. */
#include <setjmp.h>
#include <stdio.h>

struct inner {
    jmp_buf again;
    double x;
};

static struct inner first;

struct work {
    int limit, tries;
    jmp_buf error;
    double sum;
    struct inner *inner;
};

static void steps(struct work *work)
{
    for (int i = 0; i < work->limit; i++) {
        work->sum += work->inner->x / (i + 1);
        work->inner->x += 0.25;
        if (i == 11 && work->tries < 2) {
            work->tries++;
            longjmp(work->inner->again, 3);
        }
        if (work->sum > 1000)
            longjmp(work->error, 7);
    }
    longjmp(work->error, 5);
}

static void begin(struct work *work)
{
    int came;

    came = setjmp(work->inner->again);
    work->sum += came;
    steps(work);
}

int main(int argc, char **argv)
{
    struct work work = {0};
    int code;

    (void)argv;
    work.limit = 15 + argc;
    work.inner = &first;
    code = setjmp(work.error);
    if (code == 0)
        begin(&work);
    printf("%d %d %.17g %g\n", code, work.tries, work.sum, work.inner->x);
    return 0;
}
