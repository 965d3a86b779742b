/* Blocks come from an allocator that the program calls through a member, as libraries of compression do (S29). */
#include <stdio.h>
#include <stdlib.h>

struct memory {
    void *(*take)(void *opaque, int items, int size);
    void *opaque;
};

struct state {
    struct state *other;
    unsigned *words;
    unsigned char *bytes;
    unsigned sum;
};

static void *take(void *opaque, int items, int size)
{
    void *block = malloc((size_t)items * size);
    (void)opaque;
    return block;
}

static struct state *make(struct memory *memory, int n)
{
    struct state *state = memory->take(memory->opaque, 1, sizeof(struct state));
    state->words = memory->take(memory->opaque, n, sizeof(unsigned));
    state->bytes = memory->take(memory->opaque, n, 1);
    state->other = state;
    for (int i = 0; i < n; i++) {
        state->words[i] = 0;
        state->bytes[i] = (unsigned char)(i * 7 + 1);
    }
    state->sum = 0;
    return state;
}

int main(int argc, char **argv)
{
    struct memory memory = {NULL, NULL};
    if (memory.take == NULL)
        memory.take = take;
    int n = 200 + argc, steps = 12;
    struct state *state = make(&memory, n);
    (void)argv;
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++)
            state->words[state->bytes[i] % n] += state->bytes[i] + step;
        for (int i = 0; i < n; i++)
            state->bytes[i] = (unsigned char)(state->words[i] >> (step & 3));
        state->other->sum += state->words[step];
    }
    printf("%u %u\n", state->sum, state->words[n / 2]);
    return 0;
}
