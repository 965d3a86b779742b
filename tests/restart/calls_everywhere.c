/* Calls of functions that contain a checkpoint, wherever C lets a call stand. */
#include <stdio.h>

static long trail; /* what happened, in order */

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        int code_ = (call);                                                                                            \
        if (code_ < 0)                                                                                                 \
            trail = -1;                                                                                                \
    } while (0)

static int tick(int x)
{
#pragma cccp checkpoint
    trail = (trail * 31 + x) % 1000003;
    return x;
}

static int twice(int x)
{
    return tick(x) + tick(x + 1);
}

static int through_return(int x)
{
    return twice(x + 2);
}

static void nothing(int x)
{
    tick(x);
}

int main(int argc, char **argv)
{
#pragma cccp init
    int i = 0, sum = 0, a = 0, b = 0;
#pragma cccp register(trail, i, sum, a, b)

    tick(1);
    nothing(2);
    a = tick(3);
    sum += tick(4) * 2 - tick(5);
    int c = tick(6) + 1;
#pragma cccp register(c)
    printf("%d\n", tick(7));
    sum += tick(tick(8) + tick(9));
    if (tick(10) > 3)
        sum += 10;
    else
        sum += tick(11);
    if (tick(0))
        sum += 1000;
    else if (tick(12) && tick(0) && tick(13))
        sum += 2000;
    else
        sum += tick(14);
    while (tick(i) < 3)
        i++;
    do {
        i--;
    } while (tick(i) > 1);
    for (i = tick(0); tick(i) < 4; i += tick(2))
        sum += i;
    switch (tick(2)) {
    case 1:
        sum += 3000;
        break;
    case 2:
        sum += tick(20);
        /* fall through */
    case 3:
        sum += tick(21);
        break;
    default:
        sum += 4000;
    }
    b = tick(0) || tick(22) || tick(23);
    sum += b ? tick(24) : tick(25);
    sum += !b ? tick(26) : 27;
    a = (tick(28), tick(29));
    CHECK(tick(30));
    CHECK(through_return(31));
    sum += twice(32), b += 2;
    {
        int inner = tick(40);
#pragma cccp register(inner)
        for (int k = 0; k < 2; k++) {
#pragma cccp register(k)
            inner += tick(k + 41);
        }
        sum += inner;
    }
    printf("trail %ld i %d sum %d a %d b %d c %d\n", trail, i, sum, a, b, c);
    (void)argc, (void)argv;
#pragma cccp shutdown
    return 0;
}
