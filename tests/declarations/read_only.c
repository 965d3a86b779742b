/* Nobody changes what is const, though pointers of other members of the same struct are stored through. */
#include <stdio.h>
#include <stdlib.h>

enum { PUSH, ADD, SWAP, DOUBLE, AGAIN };

static const long text[] = {PUSH, 3, SWAP, DOUBLE, ADD, AGAIN};

struct machine {
    const long *next;
    long *top;
    long stack[16];
};

static double work(double x)
{
    for (int i = 0; i < 2000; i++)
        x += 1e-9 * i;
    return x;
}

int main(void)
{
    static const void *const ways[] = {&&even, &&odd};
    struct machine *m = calloc(1, sizeof *m);
    double sum = 0;
    m->next = text;
    m->top = m->stack;
    *m->top++ = 1;
    for (int turn = 0; turn < 60; turn++) {
        long other;
        sum = work(sum);
        switch (*m->next++) {
        case PUSH:
            *m->top++ = *m->next++;
            break;
        case ADD:
            other = *--m->top;
            m->top[-1] = (m->top[-1] + other) % 10007;
            break;
        case SWAP:
            other = m->top[-1];
            m->top[-1] = m->top[-2];
            m->top[-2] = other;
            break;
        case DOUBLE:
            m->top[-1] *= 2;
            break;
        default:
            m->next = text;
        }
        goto *ways[turn % 2];
    even:
        sum += 1;
        continue;
    odd:
        sum *= 0.5;
    }
    printf("%ld %d %.17g\n", m->stack[0], (int)(m->top - m->stack), sum);
    free(m);
    return 0;
}
