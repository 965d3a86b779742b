/* A handler and the program put words together in a local, whose address is in a struct for a while; bytes are read from where such a
   struct may lie, too: no number that is left depends on the address. Blocks without a type give the program a fixed heap. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct chunk { size_t used; struct chunk *next; };
struct words { char *at; long length; char *text; };

static struct chunk *chunks;
static struct words all;

static void *hand_out(size_t n)
{
    struct chunk *one = malloc(sizeof *one + n);
    one->used = n;
    one->next = chunks;
    chunks = one;
    return one + 1;
}

static void add(const char *word)
{
    char room[64];
    all.at = room;
    strcpy(all.at, word);
    all.length += strlen(all.at);
    all.at = NULL;
}

static void stop(int number)
{
    add(number == SIGALRM ? "time" : "other");
}

static unsigned sum_of(const void *from, size_t n)
{
    const unsigned char *bytes = from;
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum = sum * 31 + bytes[i];
    return sum;
}

int main(int argc, char **argv)
{
    signal(SIGALRM, stop);
    all.text = hand_out(16);
    strcpy(all.text, "abcdefgh");
    if (argc > 5)
        all.length = sum_of(&all, sizeof all);
    for (int step = 0; step < 200; step++) {
        add(argv[0] ? "step" : "none");
        all.length += sum_of(all.text, 8) & 15;
        all.text[step % 8] = 'a' + step % 20;
    }
    printf("%ld %s\n", all.length, all.text);
    return 0;
}
