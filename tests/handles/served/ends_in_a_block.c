/* What a block reads before it ends the program: a restart that succeeds does not come there, so it need not be as it was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *messages;
static int steps_done;
static char *last_words;

static void give_up(const char *reason)
{
    FILE *out = messages != NULL ? messages : stderr;
    fprintf(out, "after %d steps: %s %s\n", steps_done, reason, last_words);
    fclose(out);
    exit(1);
}

static void go_to(const char *directory)
{
    mkdir(directory, 0775);
    if (chdir(directory)) {
        give_up("no directory");
    }
}

int main(void)
{
    char words[40];
    double value = 1;
    go_to("results");
    messages = fopen("messages", "w");
    last_words = malloc(40);
    for (steps_done = 0; steps_done < 30; steps_done++) {
        for (int i = 0; i < 100; i++) {
            value = value * 0.99 + i;
        }
        sprintf(words, "at %.17g", value);
        strcpy(last_words, words);
        if (value < 0) {
            give_up("too small");
        }
    }
    fprintf(messages, "%.17g\n", value);
    printf("%s\n", last_words);
    fclose(messages);
    return 0;
}
