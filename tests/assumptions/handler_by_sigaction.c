// flags -Wno-deprecated-declarations
// auto resumes 7 20
// assumes nothing
/* Handlers installed in many ways; only they change their counters. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct sigaction Action;
typedef void (*Handler)(int);

static volatile sig_atomic_t count[12];
struct counters {
    volatile sig_atomic_t of_struct;
};
static struct counters counters;

static void local(int s) { count[0] += s > 0; }
static void constant(int s) { count[1] += s > 0; }
static void with_information(int s, siginfo_t *info, void *context)
{
    count[2] += s == info->si_signo && context;
}
static void first(int s) { count[3] += s > 0; }
static void second(int s) { count[4] += s > 0; }
static void given(int s) { count[5] += s > 0; }
static void chosen(int s) { count[6] += s > 0; }
static void not_chosen(int s) { count[7] += s > 0; }
static void by_macro(int s) { count[8] += s > 0; }
static void by_pointer(int s) { count[9] += s > 0; }
static void by_helper(int s) { counters.of_struct += s > 0; }
static void by_sigset(int s) { count[11] += s > 0; }

static Action table[2] = {{.sa_handler = first}, {.sa_handler = second}};
static const Handler choice[] = {chosen, not_chosen};
#define HANDLE(number, handler) signal(number, handler)

static Action make(Handler handler)
{
    Action action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    return action;
}

static void install(int number, Action *action)
{
    sigaction(number, action, NULL);
}

int main(int argc, char **argv)
{
    long sum = (long)strlen(argv[0]) * 0;
    struct sigaction own = {0};
    own.sa_handler = local;
    sigaction(SIGUSR1, &own, NULL);
    static Action kept = {.sa_handler = constant};
    install(SIGUSR2, &kept);
    Action more = {.sa_sigaction = with_information, .sa_flags = SA_SIGINFO};
    sigaction(SIGHUP, &more, NULL);
    for (int i = 0; i < 2; i++)
        sigaction(i ? SIGALRM : SIGINT, &table[i], NULL);
    Action made = make(given);
    sigaction(SIGPROF, &made, NULL);
    signal(SIGVTALRM, choice[argc - 1]);
    HANDLE(SIGURG, by_macro);
    Handler (*installs)(int, Handler) = signal;
    installs(SIGWINCH, by_pointer);
    Action helped = make(by_helper);
    sigaction(SIGCHLD, &helped, NULL);
    sigset(SIGIO, by_sigset);

    const int all[] = {SIGUSR1, SIGUSR2, SIGHUP, SIGINT, SIGALRM, SIGPROF, SIGVTALRM, SIGURG, SIGWINCH, SIGCHLD, SIGIO};
    for (int i = 0; i < 40; i++) {
        raise(all[i % 11]);
        for (int k = 0; k < 12; k++)
            sum = (sum * 3 + count[k] + counters.of_struct) % 1000003;
    }
    printf("%ld\n", sum);
    for (int k = 0; k < 12; k++)
        printf("%d ", (int)count[k]);
    printf("%d\n", (int)counters.of_struct);
    return 0;
}
