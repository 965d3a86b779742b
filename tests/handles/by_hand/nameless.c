/* refused: what `popen` opens is gone after a restart | what `fmemopen` opens | what `open_memstream` opens */
#include <stdio.h>

typedef FILE *stream;

struct streams {
    stream input, scratch;
};

static stream scratch(void)
{
    return tmpfile();
}

int main(void)
{
    struct streams all;
    stream text, memory;
    char buffer[400], *grown;
    size_t length;
    int i, sum = 0;
#pragma cccp init
    all.input = popen("yes", "r");
    all.scratch = scratch();
    text = fmemopen(buffer, sizeof buffer, "w");
    memory = open_memstream(&grown, &length);
#pragma cccp register(i, sum, all, text, memory, buffer)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        sum = 3 * sum + fgetc(all.input);
        fprintf(all.scratch, "%d\n", sum);
        fprintf(text, "%d\n", sum);
        fprintf(memory, "%d\n", sum);
    }
    printf("%d %ld %ld\n", sum, ftell(text), ftell(memory));
#pragma cccp shutdown
    return 0;
}
