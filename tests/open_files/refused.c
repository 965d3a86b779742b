/* Streams that cannot come back: closed ones, pipes, memory. A block opens one of them anew. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct state {
    FILE *reopened;
    int lines;
};

int main(int argc, char **argv)
{
#pragma cccp init
    int step;
    long sum = 0;
    static char memory[100];
    struct state state = {NULL, 0};
    FILE *closed = fopen("closed.txt", "w"), *pipe = popen("cat > /dev/null", "w");
    FILE *inside = fmemopen(memory, sizeof memory, "w");

    if (argc > 1 && argv[1][0] == 'x')
        return 1;
    if (closed == NULL || pipe == NULL || inside == NULL)
        return 1;
    fclose(closed);
#pragma cccp register(step, sum, closed, pipe, inside, state)
#pragma cccp execute on restart
    state.reopened = popen("cat", "w");
#pragma cccp end execute
    for (step = 0; step < 6; step++) {
#pragma cccp checkpoint
        sum += step;
        state.lines++;
        fprintf(state.reopened, "line %d\n", state.lines);
    }
#pragma cccp shutdown
    pclose(state.reopened);
    printf("%ld %d\n", sum, state.lines);
    fflush(stdout);
    _exit(0);
}
