/* Places that all threads of a team pass equally often, and places that they may not. One program per function. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int counter, flag;
int *table;
static int hits;
#pragma omp threadprivate(hits)

/* 1: a time loop in a region. */
void time_loop(int n, double *u)
{
#pragma omp parallel
    for (int step = 0; step < n; step++) {
#pragma cccp checkpoint /* uniform */
#pragma omp for
        for (int i = 0; i < 100; i++) {
            u[i] += step;
#pragma cccp checkpoint /* parted: `#pragma omp for` */
        }
    }
}

/* 2: until it converges. */
void converges(double *u)
{
    double error = 1;
    int i;
#pragma omp parallel
    while (error > 1e-6) {
#pragma cccp checkpoint /* uniform */
#pragma omp barrier
#pragma omp single
        error = 0;
#pragma omp for reduction(max : error)
        for (i = 0; i < 100; i++)
            error = u[i] > error ? u[i] : error;
    }
}

/* 3: the same without the barrier: one thread may set it to 0 before another one has looked. */
void races(double *u)
{
    double error = 1;
    int i;
#pragma omp parallel
    while (error > 1e-6) {
#pragma cccp checkpoint /* parted by error: another thread may store */
#pragma omp single
        error = 0;
#pragma omp for reduction(max : error)
        for (i = 0; i < 100; i++)
            error = u[i] > error ? u[i] : error;
    }
}

/* 4: the number of the thread. */
void number(void)
{
#pragma omp parallel
    {
        int id = omp_get_thread_num();
        int half = id / 2, size = omp_get_num_threads();
        if (half > 0) {
#pragma cccp checkpoint /* parted by half: `omp_get_thread_num` may give */
        }
        if (size > 1) {
#pragma cccp checkpoint /* uniform */
        }
        for (int k = id; k < 100; k += size) {
#pragma cccp checkpoint /* parted by k: `omp_get_thread_num` may give */
        }
#pragma cccp checkpoint /* uniform */
    }
}

/* 5: what a worksharing loop leaves in a thread's own variable. */
void shares(void)
{
    int mine;
#pragma omp parallel private(mine)
    {
        mine = 0;
#pragma omp for
        for (int i = 0; i < 100; i++)
            mine++;
        while (mine-- > 0) {
#pragma cccp checkpoint /* parted by mine: `#pragma omp for` divides */
        }
    }
}

/* 6: shared, and set between barriers. */
void between_barriers(void)
{
    int go_on = 1;
#pragma omp parallel
    while (go_on) {
#pragma cccp checkpoint /* uniform */
#pragma omp barrier
#pragma omp master
        go_on = rand() % 10;
#pragma omp barrier
    }
}

/* 7: the same without the second barrier. */
void without_a_barrier(void)
{
    int go_on = 1;
#pragma omp parallel
    while (go_on) {
#pragma cccp checkpoint /* parted by go_on: another thread may store */
#pragma omp barrier
#pragma omp master
        go_on = rand() % 10;
    }
}

/* 8: threadprivate. */
void copies(void)
{
#pragma omp parallel
    if (hits) {
#pragma cccp checkpoint /* parted by hits: every thread has a copy */
    }
}

/* 9: a queue. */
void queue(int n)
{
    int next = 0;
#pragma omp parallel
    for (;;) {
        int item;
#pragma omp critical
        item = next++;
        if (item >= n)
            break;
#pragma cccp checkpoint /* parted by item: another thread may store */
    }
}

/* 10: work without a barrier behind it. */
void nowait(int n)
{
    int found = 0, i;
#pragma omp parallel
    {
#pragma omp for nowait
        for (i = 0; i < n; i++)
            found = 1;
        if (found) {
#pragma cccp checkpoint /* parted by found: another thread may store */
        }
#pragma omp barrier
        if (found) {
#pragma cccp checkpoint /* uniform */
        }
    }
}

/* 11: a function that is called from a region, and barriers in it. */
void orphaned(int n)
{
    for (int k = 0; k < n; k++) {
#pragma cccp checkpoint /* uniform */
#pragma omp barrier
    }
    if (counter > 3) {
#pragma cccp checkpoint /* parted by counter: another thread may store */
    }
}

void calls_orphaned(int n)
{
#pragma omp parallel
    {
        orphaned(n);
#pragma omp critical
        counter++;
    }
}

/* 12: a call on a way that not all go. */
void sometimes(void)
{
#pragma cccp checkpoint /* parted by id: `omp_get_thread_num` may give */
}

void calls_sometimes(void)
{
#pragma omp parallel
    {
        int id = omp_get_thread_num();
        if (id == 0)
            sometimes();
    }
}

/* 13: an argument that differs. */
void counted(int n)
{
    while (n-- > 0) {
#pragma cccp checkpoint /* parted by n: `omp_get_thread_num` may give */
    }
}

void calls_counted(void)
{
#pragma omp parallel
    counted(omp_get_thread_num());
}

/* 14: through pointers. */
static void set(int *where, int value)
{
    *where = value;
}

void through_pointers(void)
{
#pragma omp parallel
    {
        int a, b;
        set(&a, omp_get_thread_num());
        b = 4;
        if (a) {
#pragma cccp checkpoint /* parted by a: `omp_get_thread_num` may give */
        }
        if (b) {
#pragma cccp checkpoint /* uniform */
        }
    }
}

/* 15: an element of its own of a shared array. */
void elements(void)
{
    int own[64] = {0};
#pragma omp parallel
    {
        if (own[omp_get_thread_num()]) {
#pragma cccp checkpoint /* parted: `omp_get_thread_num` may give */
        }
        if (own[3]) {
#pragma cccp checkpoint /* uniform */
        }
    }
}

/* 16: values that come from outside. */
void firstprivate(int n)
{
    int first = n, last = n;
#pragma omp parallel firstprivate(first) num_threads(4)
    {
        while (first-- > 0) {
#pragma cccp checkpoint /* uniform */
        }
#pragma omp for lastprivate(last)
        for (int i = 0; i < n; i++)
            last = i;
        if (last > 3) {
#pragma cccp checkpoint /* uniform */
        }
    }
}

/* 17: constructs that one thread executes, or nobody knows who. */
void by_one(void)
{
#pragma omp parallel
    {
#pragma omp single
        {
#pragma cccp checkpoint /* parted: `#pragma omp single` divides; in single < parallel */
        }
#pragma omp master
        {
#pragma cccp checkpoint /* parted: `#pragma omp master` divides */
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma cccp checkpoint /* parted: `#pragma omp sections` divides; in section < sections < parallel */
            }
        }
#pragma omp single nowait
        {
#pragma omp task
            {
#pragma cccp checkpoint /* parted: `#pragma omp single nowait` divides; in task < single nowait < parallel */
            }
        }
#pragma omp critical(a)
        {
#pragma cccp checkpoint /* uniform; in critical(a) < parallel */
        }
    }
}

/* 18: clocks and random numbers. */
void clocks(void)
{
#pragma omp parallel
    {
        double now = omp_get_wtime();
        int dice = rand();
        if (now > 3) {
#pragma cccp checkpoint /* parted by now: `omp_get_wtime` may give */
        }
        if (dice) {
#pragma cccp checkpoint /* parted by dice: `rand` may give */
        }
    }
}

/* 19: a random number from before the region is the same for all. */
void before(void)
{
    int dice = rand();
#pragma omp parallel
    if (dice) {
#pragma cccp checkpoint /* uniform */
    }
}

/* 20: what is behind a region inside another one, and behind a branch that differs. */
void inner(void)
{
#pragma omp parallel
    {
        int id = omp_get_thread_num();
        if (id)
            puts("not the first");
#pragma cccp checkpoint /* uniform */
#pragma omp parallel
        {
#pragma cccp checkpoint /* parted: it is in a region inside another one */
        }
    }
}

/* 21: a loop that not all leave at the same time. */
void leaves(int n)
{
#pragma omp parallel
    {
        for (int k = 0; k < n; k++) {
#pragma cccp checkpoint /* parted by id: `omp_get_thread_num` may give */
            int id = omp_get_thread_num();
            if (id == k)
                break;
        }
#pragma cccp checkpoint /* uniform */
    }
}

/* 22: memory of the heap, of all threads and of each. */
void blocks(int n)
{
    table = malloc(n * sizeof *table);
    table[0] = n;
#pragma omp parallel
    {
        int *own = malloc(sizeof *own);
        *own = omp_get_thread_num();
        if (table[0]) {
#pragma cccp checkpoint /* uniform */
        }
        if (*own) {
#pragma cccp checkpoint /* parted by heap@uniform.c:369[]: `omp_get_thread_num` may give */
        }
    }
}

/* 23: a flag that another thread sets. */
void waits(void)
{
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
#pragma omp atomic write
            flag = 1;
        }
        int seen = 0;
        while (!seen) {
#pragma cccp checkpoint /* parted by seen: another thread may store */
#pragma omp atomic read
            seen = flag;
        }
    }
}

/* 24: where a region can be cancelled. */
void cancelled(int n)
{
#pragma omp parallel
    {
#pragma cccp checkpoint /* parted: threads may leave the region here */
#pragma omp cancel parallel if(n > 3)
        n = 2;
    }
}

/* 25: a pointer to a function, and a switch. */
void first_way(void)
{
#pragma cccp checkpoint /* uniform */
}

void second_way(void)
{
#pragma cccp checkpoint /* parted by way: `omp_get_thread_num` may give */
}

void ways(int n)
{
    void (*same)(void) = first_way;
#pragma omp parallel
    {
        void (*way)(void) = omp_get_thread_num() ? second_way : (void (*)(void))0;
        same();
        if (way)
            way();
        switch (n) {
        case 1:
#pragma cccp checkpoint /* uniform */
            break;
        default:
#pragma cccp checkpoint /* uniform */
            break;
        }
    }
}

/* 26: several variables in one declaration, and a value that is computed from one that differs. */
void declared(int n)
{
#pragma omp parallel
    {
        int id = omp_get_thread_num(), all = omp_get_num_threads(), from = id * n / all, size = n / all;
        int (*pair)[2] = 0, odd = (size = 3) + id, even = n;
        if (all > n) {
#pragma cccp checkpoint /* uniform */
        }
        if (even) {
#pragma cccp checkpoint /* uniform */
        }
        if (from) {
#pragma cccp checkpoint /* parted by from: `omp_get_thread_num` may give */
        }
        if (odd && pair) {
#pragma cccp checkpoint /* parted by odd: `omp_get_thread_num` may give */
        }
        int late = id + ({ int t = n; t; });
        if (late) {
#pragma cccp checkpoint /* parted by late: `omp_get_thread_num` may give */
        }
        if (id + ({ int t = n; t; })) {
#pragma cccp checkpoint /* parted by id: `omp_get_thread_num` may give */
        }
    }
}

static void set_alike(int *where, int value)
{
    *where = value;
}

/* 27: a thread's own variables that others can reach, and that they cannot. */
int *reached[64];

void reaches(int n)
{
#pragma omp parallel
    {
        int open = n, closed = n;
        reached[omp_get_thread_num()] = &open;
        set_alike(&closed, n + 1);
#pragma omp barrier
#pragma omp critical
        *reached[0] = 7;
        if (closed) {
#pragma cccp checkpoint /* uniform */
        }
        if (open) {
#pragma cccp checkpoint /* parted by open: another thread may store */
        }
    }
}

/* 28: a part of the condition is in a function that is called, and in one of the library. */
static int is_odd(int n)
{
    return n & 1;
}

static int is_even(int n)
{
    return !(n & 1);
}

void asks(int n)
{
#pragma omp parallel
    {
        if (is_even(n) && abs(n) > 2) {
#pragma cccp checkpoint /* uniform */
        }
        if (is_odd(omp_get_thread_num())) {
#pragma cccp checkpoint /* parted: `omp_get_thread_num` may give */
        }
    }
}

int main(int argc, char **argv)
{
    double u[100] = {0};
    time_loop(argc, u);
    converges(u);
    races(u);
    number();
    shares();
    between_barriers();
    without_a_barrier();
    copies();
    queue(argc);
    nowait(argc);
    calls_orphaned(argc);
    calls_sometimes();
    calls_counted();
    through_pointers();
    elements();
    firstprivate(argc);
    by_one();
    clocks();
    before();
    inner();
    leaves(argc);
    blocks(argc);
    waits();
    cancelled(argc);
    ways(argc);
    declared(argc);
    reaches(argc);
    asks(argc);
    return 0;
}
