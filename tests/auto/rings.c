/* Arrays of pointers in structs, each to a block that is longer than the array: as locals, in a global, in a struct in a struct. */
#include <stdio.h>
#include <stdlib.h>

struct ring {
    double *slots[4];
    int head;
};
static struct {
    int used;
    struct ring inner;
} global;

static void fill(struct ring *ring, int length, double with)
{
    for (int i = 0; i < 4; i++) {
        ring->slots[i] = malloc(length * sizeof(double));
        for (int k = 0; k < length; k++)
            ring->slots[i][k] = with * (i + k);
    }
}

int main(void)
{
    struct ring ring = {{0}, 0};
    int length = 64;
    double sum = 0;
    for (int i = 0; i < 4; i++)
        ring.slots[i] = calloc(length, sizeof(double));
    fill(&global.inner, 2 * length, 0.5);
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < length; i++) {
            sum += ring.slots[ring.head][i] += i;
            global.inner.slots[ring.head][i + step % length] += sum * 1e-6;
        }
        ring.head = (ring.head + 1) % 4;
        global.used++;
    }
    for (int i = 0; i < 4; i++)
        sum += ring.slots[i][i] + global.inner.slots[i][length];
    printf("%.12g %d\n", sum, global.used);
    return 0;
}
