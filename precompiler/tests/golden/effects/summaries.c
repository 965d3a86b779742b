/* What functions read, write and surely overwrite, with all that they call. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct list { struct list *next; int value; };

static int global, other;
static jmp_buf env;
static FILE *file;

static void set(int *where) { *where = 1; }

static int both(int n)
{
    if (n)
        global = 1;
    else
        set(&global);
    return global + other;
}

static void one_way(int n)
{
    if (n)
        other = 2;
}

static void shift(struct list **at)
{
    *at = (*at)->next;
}

static struct list *make(int value)
{
    struct list *one = malloc(sizeof *one);
    one->value = value;
    one->next = 0;
    return one;
}

static void open_file(const char *name)
{
    file = fopen(name, "w");
    if (!file)
        exit(1);
}

static int recursive(int n)
{
    other = n;
    return n ? recursive(n - 1) + global : 0;
}

static void endless(void)
{
    for (;;)
        puts("on and on");
}

static void far(void)
{
    global = 3;
    longjmp(env, 1);
}

int main(int argc, char **argv)
{
    struct list *list = make(argc);
    shift(&list);
    one_way(argc);
    open_file(argv[0]);
    if (setjmp(env) == 0 && argc > 4)
        far();
    if (argc > 5)
        endless();
    free(list);
    return both(argc) + recursive(argc);
}
