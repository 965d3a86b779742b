/* A loop of argv[1] passes that does what argv[2] says in pass 31, in front of its checkpoint. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t heard;

static void hear(int signal)
{
    heard += signal;
}

static void hear_more(int signal, siginfo_t *information, void *context)
{
    heard += information && context ? 100 * signal : 0;
}

static void (*former)(int);

/* Calls what was there before it, as libraries do. */
static void chained(int signal)
{
    heard += 1000000;
    if (former != NULL)
        former(signal);
}

static void *wait_for_it(void *held)
{
    pthread_mutex_lock(held);
    pthread_mutex_unlock(held);
    return NULL;
}

/* The signal comes to a thread of the program. */
static void tell_a_thread(int signal)
{
    pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread;
    pthread_mutex_lock(&held);
    pthread_create(&thread, NULL, wait_for_it, &held);
    pthread_kill(thread, signal);
    pthread_mutex_unlock(&held);
    pthread_join(thread, NULL);
}

static void act(const char *what)
{
    struct sigaction more;
    memset(&more, 0, sizeof more);
    if (strcmp(what, "usr1") == 0)
        raise(SIGUSR1);
    if (strcmp(what, "usr2") == 0)
        raise(SIGUSR2);
    if (strcmp(what, "own usr2") == 0) {
        signal(SIGUSR2, hear);
        raise(SIGUSR2);
    }
    if (strcmp(what, "late") == 0) {
        more.sa_sigaction = hear_more;
        more.sa_flags = SA_SIGINFO;
        sigaction(SIGTERM, &more, NULL);
    }
    if (strcmp(what, "late signal") == 0 && (signal(SIGTERM, hear) != SIG_DFL || signal(SIGTERM, hear) != hear))
        exit(9);
    if (strcmp(what, "chained") == 0) {
        more.sa_handler = chained;
        struct sigaction had;
        sigaction(SIGTERM, &more, &had);
        former = had.sa_handler;
        sigaction(SIGTERM, NULL, &more);
        if (former != SIG_DFL || more.sa_handler != chained)
            exit(9);
    }
    if (strcmp(what, "term") == 0 || strcmp(what, "handler") == 0 || strncmp(what, "late", 4) == 0
        || strcmp(what, "chained") == 0)
        raise(SIGTERM);
    if (strcmp(what, "twice") == 0) {
        raise(SIGTERM);
        raise(SIGTERM);
    }
    if (strcmp(what, "int") == 0)
        raise(SIGINT);
    if (strcmp(what, "thread") == 0)
        tell_a_thread(SIGTERM);
    if (strcmp(what, "child") == 0) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            raise(SIGTERM);
            _exit(3);
        }
        waitpid(child, &status, 0);
        printf("the child: %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
    }
}

static void leave(void)
{
    puts("the end of the program");
}

int main(int argc, char **argv)
{
    int pass, passes = argc > 1 ? atoi(argv[1]) : 100;
    const char *what = argc > 2 ? argv[2] : "nothing";
    double sum = 1;
    /* Who starts the tests in the background ignores it. */
    signal(SIGINT, SIG_DFL);
    if (strcmp(what, "handler") == 0)
        signal(SIGTERM, hear);
    if (strcmp(what, "ignored") == 0)
        signal(SIGTERM, SIG_IGN);
    atexit(leave);
#pragma cccp init
#pragma cccp register(pass, sum, heard, former)
    for (pass = 1; pass <= passes; pass++) {
        sum = sum * 1.0009765625 + pass;
        if (pass == 31) {
            act(what);
            if (strcmp(what, "ignored") == 0)
                raise(SIGTERM);
            if (heard)
                printf("heard %d\n", (int)heard);
        }
        if (pass % 10 == 0)
            printf("%d %.17g\n", pass, sum);
#pragma cccp checkpoint
    }
#pragma cccp shutdown
    printf("%.17g\n", sum);
    return 0;
}
