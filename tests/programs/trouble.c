/* A loop that meets trouble on its way: before the checkpoint of step K it does what the variable AT_K says, unless that
 * step is behind it already. A text is a command for the shell; @nofile N and @fsize N set a limit of the process (-1 takes
 * it back); @fork FIFO leaves a child behind that lives until it reads a byte; @both lets a child go on to the end, and the
 * parent waits for it; @close closes all files it does not know, and opens one that is written at the end. CLOCK_AHEAD is by how many seconds the clock is fast. With -DWITH_MPI the ranks compute together, and
 * rank 0 has the trouble. */
#define _GNU_SOURCE
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { N = 1000, STEPS = 12 };

/* The clock of the C library, which the runtime asks as well. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    const char *ahead = getenv("CLOCK_AHEAD");
    long result = syscall(SYS_clock_gettime, clock, now);

    if (result == 0 && clock == CLOCK_REALTIME && ahead != NULL)
        now->tv_sec += atol(ahead);
    return (int)result;
}

static FILE *kept;

static void limit(int what, long most)
{
    struct rlimit limits;

    getrlimit(what, &limits);
    limits.rlim_cur = most < 0 ? limits.rlim_max : (rlim_t)most;
    if (setrlimit(what, &limits) != 0)
        perror("setrlimit");
}

static void trouble(int step)
{
    char name[20], path[400], byte;
    long most;
    int fifo;

    snprintf(name, sizeof name, "AT_%d", step);
    const char *what = getenv(name);
    if (what == NULL)
        return;
    if (sscanf(what, "@nofile %ld", &most) == 1) {
        limit(RLIMIT_NOFILE, most);
    } else if (sscanf(what, "@fsize %ld", &most) == 1) {
        limit(RLIMIT_FSIZE, most);
    } else if (sscanf(what, "@fork %399s", path) == 1) {
        if (fork() == 0) {
            fifo = open(path, O_RDONLY);
            if (read(fifo, &byte, 1) < 0)
                _exit(1);
            _exit(0);
        }
    } else if (strcmp(what, "@both") == 0) {
        if (fork() != 0)
            wait(NULL);
    } else if (strcmp(what, "@close") == 0) {
        for (fifo = 3; fifo < 256; fifo++)
            close(fifo);
        kept = fopen("kept", "w");
    } else if (system(what) != 0) {
        fprintf(stderr, "%s failed\n", what);
    }
}

int main(int argc, char **argv)
{
    double u[N] = {0}, value = 1.0, sum;
    int step, rank = 0;

#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
#pragma cccp init
#pragma cccp register(u, value, step)
    for (step = 0; step < STEPS; step++) {
        if (rank == 0)
            trouble(step);
#ifdef WITH_MPI
        MPI_Barrier(MPI_COMM_WORLD);
#endif
#pragma cccp checkpoint
        for (int i = 0; i < N; i++)
            u[i] += value / (i + 1 + rank);
        sum = value * 1.25 + u[N / 2];
#ifdef WITH_MPI
        MPI_Allreduce(&sum, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#else
        value = sum;
#endif
    }
    if (kept != NULL && (fputs("kept", kept) < 0 || fclose(kept) != 0))
        return 1;
    if (rank == 0)
        printf("%.17g %.17g\n", value, u[N - 1]);
#pragma cccp shutdown
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return argc > 99 && argv == NULL;
}
