/* What is copied as a whole may hold in its rest what was on the stack: addresses of another process. link: -no-pie */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    double step;
    char name[400];
    double *table;
};

struct list {
    char label[400];
    long key;
    struct list *next;
};

/* Memory whose types say nothing: it comes back as it is. */
static char slots[8 * sizeof(void *)];

static double __attribute__((noinline)) sum_of_streams(int depth)
{
    /* Leaves addresses of the C library on the stack. */
    void *volatile left[120];
    for (int i = 0; i < 120; i++)
        left[i] = (char *)stdout + i * depth;
    double sum = 0;
    for (int i = 0; i < 120; i++)
        sum += left[i] != NULL;
    return sum;
}

static double __attribute__((noinline)) settings_read(struct settings *one)
{
    return one->name[0] ? one->step : 0;
}

static struct settings __attribute__((noinline)) default_settings(void)
{
    struct settings made;
    struct settings again;
    made.step = 0.5;
    strcpy(made.name, "some");
    made.table = NULL;
    again = made;
    again.step = settings_read(&again);
    return again;
}

struct counted {
    struct settings settings;
    long count; /* An int would leave half a word unset, which may read as an address by chance. */
};

static struct counted __attribute__((noinline)) counted_settings(void)
{
    struct settings made;
    made.step = 0.25;
    strcpy(made.name, "braces");
    made.table = NULL;
    struct counted all = {made, 1};
    all.count += settings_read(&all.settings) > 0;
    return all;
}

static struct counted __attribute__((noinline)) literal_settings(void)
{
    struct settings made;
    made.step = 0.125;
    strcpy(made.name, "literal");
    made.table = NULL;
    return (struct counted){.count = settings_read(&made) > 0, .settings = made};
}

static void __attribute__((noinline)) add(struct list **all, long key)
{
    struct list one;
    strcpy(one.label, "one");
    one.key = key;
    one.next = *all;
    *all = malloc(sizeof one);
    memcpy(*all, &one, sizeof one);
}

static double *fill(double *values)
{
    for (int i = 0; i < 4; i++)
        values[i] = i + 1;
    return values;
}

int main(void)
{
    struct settings *settings = malloc(sizeof *settings);
    struct list *all = NULL;
    double sum = sum_of_streams(1);
    *settings = default_settings();
    struct counted *counted = malloc(2 * sizeof *counted);
    sum += sum_of_streams(3);
    counted[0] = counted_settings();
    sum += sum_of_streams(3);
    counted[1] = literal_settings();
    for (long i = 0; i < 8; i++) {
        sum += sum_of_streams(2);
        add(&all, i);
        ((struct list **)slots)[i] = all;
    }
    double values[4];
    double *behind = fill(values);
    for (int i = 0; i < 14; i++) {
        for (struct list *one = all; one; one = one->next)
            sum += one->key + ((struct list **)slots)[i % 8]->key * settings->step + values[i % 4] + behind[(i + 1) % 4];
    }
    printf("%g %s %g\n", sum, settings->name, values[2]);
    for (int i = 0; i < 2; i++)
        printf("%s %g %ld\n", counted[i].settings.name, counted[i].settings.step, counted[i].count);
    return 0;
}
