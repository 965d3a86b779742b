/* Handlers and environment variables that are set behind what nothing can repeat: what the calls read changes later. The last test of each
   result stands in front of all that a block around the call would have to execute again. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t length;
};

static struct text *said;
static volatile sig_atomic_t seen[3];

static void count(int number)
{
    (void)number;
    seen[0]++;
}

static void count_more(int number, siginfo_t *from, void *context)
{
    (void)context;
    seen[1] += number == SIGURG && from ? 2 : 100;
}

static void once(int number)
{
    (void)number;
    seen[2]++;
}

static void say(const char *what)
{
    size_t length = strlen(what);
    said->bytes = realloc(said->bytes, said->length + length + 1);
    memcpy(said->bytes + said->length, what, length + 1);
    said->length += length;
}

static void listen(const char *name)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = count_more;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaddset(&action.sa_mask, SIGWINCH);
    if (sigaction(SIGURG, &action, NULL))
        say(name);
    if (signal(SIGWINCH, count) == SIG_ERR)
        say(name);
}

int main(void)
{
    double sum = 0;
    said = calloc(1, sizeof *said);
    say("begun");
    listen("main");
    if (setenv("CCCP_TEST_STEP", said->bytes, 1))
        say("no variable");
    unsetenv("HOME");
    for (int step = 0; step < 20; step++) {
        char text[16];
        for (int i = 0; i < 2000; i++)
            sum += 1.0 / (1 + i + step);
        raise(SIGURG);
        raise(SIGWINCH);
        if (step == 6) {
            struct sigaction action;
            memset(&action, 0, sizeof action);
            action.sa_handler = once;
            action.sa_flags = SA_RESETHAND;
            if (sigaction(SIGCONT, &action, NULL))
                say("nothing");
        }
        if (step == 17)
            raise(SIGCONT);
        if (step == 9)
            signal(SIGWINCH, SIG_IGN);
        snprintf(text, sizeof text, "%d", step);
        say(text);
        if (step % 3 == 0)
            setenv("CCCP_TEST_STEP", text, 1);
    }
    struct sigaction last;
    sigaction(SIGURG, NULL, &last);
    printf("%.12g %d %d %d\n", sum, (int)seen[0], (int)seen[1], (int)seen[2]);
    printf("%s %s %d\n", getenv("CCCP_TEST_STEP"), getenv("HOME") ? "home" : "no home", last.sa_flags & SA_SIGINFO ? 1 : 0);
    printf("%d\n", sigismember(&last.sa_mask, SIGWINCH));
    puts(said->bytes);
    return 0;
}
