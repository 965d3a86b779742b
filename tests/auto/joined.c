/* Threads that are made and joined in each pass, three ways to keep their numbers: none is there at a checkpoint. A process that may be
   started before is none of them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, CELLS = 96 };

struct share {
    int from, to, pass;
    double *field, *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long touched;
static double weights[THREADS];

static void *relax(void *given)
{
    struct share *mine = given;
    for (int i = mine->from; i < mine->to; i++)
        mine->next[i] = 0.25 * mine->field[i - 1] + 0.5 * mine->field[i] + 0.25 * mine->field[i + 1] + mine->pass * 1e-6;
    pthread_mutex_lock(&lock);
    touched += mine->to - mine->from;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *weigh(void *given)
{
    double *mine = given;
    *mine = 1.0009765625 * *mine + 0.5;
    return NULL;
}

/* In an array of the function. */
static void step(double *field, double *next, int pass)
{
    pthread_t threads[THREADS];
    struct share shares[THREADS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
    for (int t = 0; t < THREADS; t++) {
        int from = 1 + t * (CELLS - 2) / THREADS, to = 1 + (t + 1) * (CELLS - 2) / THREADS;
        shares[t] = (struct share){from, to, pass, field, next};
        if (pthread_create(&threads[t], &attributes, relax, &shares[t]) != 0)
            exit(1);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    pthread_attr_destroy(&attributes);
}

/* What another program says. */
static int asked(char **words)
{
    int status = 0;
    pid_t process = vfork();
    if (process == 0) {
        execvp(words[0], words);
        _exit(99);
    }
    waitpid(process, &status, 0);
    return status;
}

int main(int argc, char **argv)
{
    if (argc > 2 && asked(argv + 2) != 0)
        return 1;
    int passes = argc > 1 ? atoi(argv[1]) : 60;
    double *field = calloc(CELLS, sizeof *field), *next = calloc(CELLS, sizeof *next);
    pthread_t others[8];
    pthread_t *more = malloc(THREADS * sizeof *more);
    field[0] = next[0] = 1.0;
    for (int pass = 0; pass < passes; pass++) {
        step(field, next, pass);
        double *swapped = field;
        field = next;
        next = swapped;
        for (int t = 0; t < 2; t++)
            pthread_create(&others[t], NULL, weigh, &weights[t]);
        for (int t = 0; t < 2; t++)
            pthread_join(others[t], NULL);
        pthread_create(&more[2], NULL, weigh, &weights[2]);
        pthread_join(more[2], NULL);
    }
    double sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += field[i];
    printf("%.17g %ld %.17g %.17g\n", sum, touched, weights[0], weights[2]);
    free(more);
    free(field);
    free(next);
    return 0;
}
