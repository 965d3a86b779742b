/* Loops whose body begins with a checkpoint, and whose condition reads what the body overwrites before it is read again: no
 * checkpoint needs that, and a restart must not look at it. */
#include <math.h>
#include <stdio.h>

enum { LENGTH = 30 };

static double x[LENGTH] = {1}, level = 1;

static double step(void)
{
    double change = 0;
    for (int i = 1; i < LENGTH - 1; i++) {
        double next = (x[i - 1] + x[i + 1]) / 2;
        change = fmax(change, fabs(next - x[i]));
        x[i] = next;
    }
    return change;
}

static void tell(const char *what, int passes)
{
    printf("%s %d %.17g\n", what, passes, x[LENGTH / 2]);
}

static void local(void)
{
    double change = 1;
    int passes = 0;
#pragma cccp register(passes)
    while (change > 2e-2) {
#pragma cccp checkpoint
        change = step();
        passes++;
    }
    tell("a local", passes);
}

static void global(void)
{
    int passes;
#pragma cccp register(passes)
    for (passes = 0; level > 1e-2; passes++) {
#pragma cccp checkpoint
        level = step();
    }
    tell("a global", passes);
}

static void member(void)
{
    struct {
        double change;
        int more;
    } state = {1, 1};
    int passes;
#pragma cccp register(passes)
    for (passes = 0; state.more && state.change > 0; passes++) {
#pragma cccp checkpoint
        state.change = step();
        state.more = passes < 4;
    }
    tell("a member", passes);
}

static void pointed_at(void)
{
    int more = 1, *last = &more, passes;
#pragma cccp register(passes)
    for (passes = 0; *last; passes++) {
#pragma cccp checkpoint
        step();
        last = &more;
        more = passes < 4;
    }
    tell("pointed at", passes);
}

int main(int argc, char **argv)
{
#pragma cccp init
#pragma cccp register(x)
    local();
    global();
    member();
    pointed_at();
#pragma cccp shutdown
    return argc > 5 && argv == NULL;
}
