/* A server that nobody starts: only a message has the name of the function that would. What stops the thread and waits for it stays,
   behind a pointer that is always null, beside the locks of the main loop. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct server {
    pthread_mutex_t mutex;
    pthread_t thread;
    int is_ready, requests;
};

struct simulation {
    struct server *server;
    double *at;
    int n;
};

static void *serve(void *given)
{
    struct server *server = given;
    for (server->is_ready = 1; server->requests < 100;) {
        pthread_mutex_lock(&server->mutex);
        server->requests++;
        pthread_mutex_unlock(&server->mutex);
    }
    return NULL;
}

int start_server(struct simulation *simulation)
{
    simulation->server = calloc(1, sizeof *simulation->server);
    if (!simulation->server || pthread_mutex_init(&simulation->server->mutex, NULL))
        return -1;
    return pthread_create(&simulation->server->thread, NULL, serve, simulation->server);
}

static void picture(struct simulation *simulation)
{
    if (!simulation->server)
        fprintf(stderr, "no picture: call start_server()\n");
}

static void step(struct simulation *simulation)
{
    for (int k = 0; k < 50; k++)
#pragma omp parallel for
        for (int i = 1; i < simulation->n; i++)
            simulation->at[i] = 0.5 * simulation->at[i] + 0.001 * k;
}

int main(int argc, char **argv)
{
    struct simulation *simulation = calloc(1, sizeof *simulation);
    int steps = argc > 1 ? atoi(argv[1]) : 12;
    if (!simulation)
        return 1;
    simulation->n = 100;
    simulation->at = calloc(simulation->n, sizeof *simulation->at);
    if (!simulation->at)
        return 1;
    for (int i = 0; i < simulation->n; i++)
        simulation->at[i] = i % 7;
    picture(simulation);
    for (int one = 0; one < steps; one++) {
        if (simulation->server)
            pthread_mutex_lock(&simulation->server->mutex);
        step(simulation);
        if (simulation->server)
            pthread_mutex_unlock(&simulation->server->mutex);
    }
    printf("%.17g\n", simulation->at[simulation->n - 1]);
    free(simulation->at);
    if (simulation->server) {
        void *value;
        pthread_cancel(simulation->server->thread);
        pthread_join(simulation->server->thread, &value);
    }
    free(simulation->server);
    free(simulation);
    return 0;
}
