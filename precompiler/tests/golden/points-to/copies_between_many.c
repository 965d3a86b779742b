/* Between so many places all that is copied goes through one: also what comes later, and blocks whose type shows later. */
#include <stdlib.h>
#include <string.h>

struct two {
    int *a, *b;
};

int early, late, inside, beside;
struct two more, other;

#define ONE(n) struct two from_##n, to_##n;
#define CHOOSE(n) case n: p = &from_##n; q = &to_##n; break;

ONE(0) ONE(1) ONE(2) ONE(3) ONE(4) ONE(5) ONE(6) ONE(7) ONE(8) ONE(9) ONE(10) ONE(11)
ONE(12) ONE(13) ONE(14) ONE(15) ONE(16) ONE(17) ONE(18) ONE(19) ONE(20) ONE(21) ONE(22) ONE(23)
ONE(24) ONE(25) ONE(26) ONE(27) ONE(28) ONE(29) ONE(30) ONE(31) ONE(32) ONE(33) ONE(34) ONE(35)
ONE(36) ONE(37) ONE(38) ONE(39) ONE(40) ONE(41) ONE(42) ONE(43) ONE(44) ONE(45) ONE(46) ONE(47)

int main(int argc, char **argv)
{
    struct two *p = NULL, *q = NULL;
    void *block = malloc(16);
    struct two **from = &p, **to = &q;
    switch (argc) {
    CHOOSE(0) CHOOSE(1) CHOOSE(2) CHOOSE(3) CHOOSE(4) CHOOSE(5) CHOOSE(6) CHOOSE(7)
    CHOOSE(8) CHOOSE(9) CHOOSE(10) CHOOSE(11) CHOOSE(12) CHOOSE(13) CHOOSE(14) CHOOSE(15)
    CHOOSE(16) CHOOSE(17) CHOOSE(18) CHOOSE(19) CHOOSE(20) CHOOSE(21) CHOOSE(22) CHOOSE(23)
    CHOOSE(24) CHOOSE(25) CHOOSE(26) CHOOSE(27) CHOOSE(28) CHOOSE(29) CHOOSE(30) CHOOSE(31)
    CHOOSE(32) CHOOSE(33) CHOOSE(34) CHOOSE(35) CHOOSE(36) CHOOSE(37) CHOOSE(38) CHOOSE(39)
    CHOOSE(40) CHOOSE(41) CHOOSE(42) CHOOSE(43) CHOOSE(44) CHOOSE(45) CHOOSE(46) CHOOSE(47)
    }
    from_7.a = &early;
    more.a = &late;
    more.b = &beside;
    *from = &more;
    *to = &other;
    if (argc > 50)
        p = block;
    memcpy(q, p, (size_t)argc);
    struct two *shown = block;
    shown->a = &inside;
    (void)argv;
    return to_3.a != NULL; /* must: to_3.a → early, late, inside; to_3.b → beside */ /* must: other.a → early, late, inside */
}
