/* refused: `log.number` holds the descriptor of a file that is not open after a restart | add `#pragma cccp register(file(log.number))` */
#include <stdio.h>
#include <unistd.h>

struct log {
    FILE *stream;
    int number;
};

static struct log opened(const char *name)
{
    struct log log;
    log.stream = fopen(name, "w");
    log.number = fileno(log.stream);
    return log;
}

int main(void)
{
    struct log log;
    int i;
#pragma cccp init
    log = opened("a.txt");
#pragma cccp register(i, log)
#ifdef CURED
#pragma cccp register(file(log.number))
#endif
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        fprintf(log.stream, "%d\n", i);
        fflush(log.stream);
        dprintf(log.number, "past it %d\n", i);
    }
    printf("%d\n", i);
#pragma cccp shutdown
    return 0;
}
