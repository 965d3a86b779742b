/* Sums over the bytes of members, of texts in them and of buffers, in structs in which there are streams, too: what the bytes are of is told by the
 * types that the pointers have had. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
    FILE *from;
    unsigned char *next, *end;
    unsigned char buffer[32];
    int count;
    char *name;
};

static unsigned mix(unsigned all, const void *from, size_t length)
{
    const unsigned char *next = from;
    while (length-- > 0)
        all = all * 31 + *next++;
    return all;
}

static int get(struct source *source)
{
    if (source->next == source->end) {
        size_t length = fread(source->buffer, 1, sizeof source->buffer, source->from);
        if (length == 0)
            return -1;
        source->next = source->buffer;
        source->end = source->next + length;
    }
    return *source->next++;
}

int main(void)
{
    unsigned sums[3] = { 0 };
    struct source *sources = calloc(3, sizeof *sources);
    for (int i = 0; i < 3; i++) {
        char name[20];
        snprintf(name, sizeof name, "source-%d.txt", i);
        FILE *made = fopen(name, "w");
        for (int k = 0; k < 200; k++)
            fprintf(made, "%c", 'a' + (k * (i + 2)) % 26);
        fclose(made);
        sources[i].from = fopen(name, "r");
        sources[i].next = sources[i].end = sources[i].buffer;
        sources[i].name = strdup(name);
    }
    for (int step = 0; step < 20; step++)
        for (int i = 0; i < 3; i++) {
            struct source *one = &sources[i];
            int byte = get(one);
            one->count += byte;
            sums[i] = mix(sums[i], &one->count, sizeof one->count);
            sums[i] = mix(sums[i], one->name, strlen(one->name));
            sums[i] += byte;
            sums[i] %= 1000003;
        }
    printf("%u %u %u\n", sums[0], sums[1], sums[2]);
    return 0;
}
