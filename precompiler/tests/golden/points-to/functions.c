/* Calls through pointers, tables, callbacks of libraries. */
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>

typedef int *(*getter)(void);

struct operations {
    getter get;
    void (*put)(int *);
};

static int a, b, c;
static int *last;

static int *get_a(void) { return &a; }
static int *get_b(void) { return &b; }
static int *get_c(void) { return &c; }
static void put_last(int *value) { last = value; } /* must: value → b */ /* should: value ↛ c */
static void put_none(int *value) { (void)value; }

static const struct operations table[] = { { get_a, put_none }, { get_b, put_last } };
/* must: table[].get → get_a(), get_b(); table[].put → put_last(), put_none() */
/* should: table[].get ↛ get_c(); table[].get ↛ put_last() */

struct item { double key; int *tag; };
static struct item items[10];

static int by_key(const void *left, const void *right) /* must: left → items[].key */ /* should: left ↛ a */
{
    const struct item *x = left, *y = right; /* must: y → items[].key */
    return x->key < y->key;
}

struct job { int *target; };

static void *work(void *argument)
{
    struct job *job = argument; /* must: job → mine.target */
    *job->target = 1;
    return job->target;
}

static void on_signal(int number) { a = number; }

static int *keep(int count, ...)
{
    int *one;
    va_list list;
    va_start(list, count);
    one = va_arg(list, int *); /* must: one → a, b */ /* should: one ↛ c */
    va_end(list);
    return one;
}

static int *recurse(int depth, int *seed)
{
    int local = 0; /* must: several local */
    if (depth == 0)
        return seed;
    return recurse(depth - 1, &local);
}

static void once(void)
{
    int local = 0; /* should: single local */
    int *p = &local;
    *p = 1;
}

int main(int argc, char **argv)
{
    getter get = argc > 1 ? get_a : get_c; /* must: get → get_a(), get_c() */ /* should: get ↛ get_b() */
    int *p = get(), *q, *r, *s; /* must: p → a, c */
    struct job mine;
    pthread_t thread;
    void *result;

    q = table[argc].get(); /* must: q → a, b */ /* should: q ↛ c */
    table[argc].put(&b);
    items[0].tag = q;
    qsort(items, 10, sizeof items[0], by_key); /* must: items[].tag → a */
    mine.target = &c;
    pthread_create(&thread, 0, work, &mine);
    pthread_join(thread, &result); /* must: result → c */
    signal(SIGINT, on_signal);
    r = keep(2, &a, &b); /* must: r → a, b */
    s = recurse(argc, r); /* must: s → local */
    once();
    return *p + *q + *r + *s;
}
