/* An active call: its arguments are those of the original run, and pointers among them lead to restored objects. */
#include "shape.h"

struct point {
    double x, y;
};

struct work_arguments {
    int seed;
    double factor;
    double *part;
    const char *word;
    const char *label;
    struct point origin;
    int *counter;
};

static const cccp_member point_members[] = {
    {"x", &cccp_type_double, offsetof(struct point, x), 1, 0},
    {"y", &cccp_type_double, offsetof(struct point, y), 1, 0},
};
static const cccp_type point_type = {CCCP_KIND_STRUCT, 2, sizeof(struct point), "struct point", point_members};
static const cccp_value work_parameters[] = {
    VALUE(work_arguments, seed, int),
    VALUE(work_arguments, factor, double),
    VALUE(work_arguments, part, pointer),
    VALUE(work_arguments, word, pointer),
    VALUE(work_arguments, label, pointer),
    {"origin", &point_type, offsetof(struct work_arguments, origin), 0},
    VALUE(work_arguments, counter, pointer),
};
static const cccp_block work_blocks[] = {
    {.kind = CCCP_BLOCK_REGISTER, .line = 50},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 60, .loop = 1},
};
static const cccp_loop work_loops[] = {{.parent = 0, .counter = -1, .prunable = 1}};
static const cccp_item work_items[] = {ITEM("i", 50, CCCP_ITEM_LOCAL)};
static const cccp_function work_function = {
    .name = "work", .file = "arguments.c", .line = 40, .fingerprint = 51,
    .block_count = COUNT(work_blocks), .blocks = work_blocks,
    .loop_count = COUNT(work_loops), .loops = work_loops,
    .item_count = COUNT(work_items), .items = work_items,
    .parameter_count = COUNT(work_parameters), .parameters = work_parameters,
    .arguments_size = sizeof(struct work_arguments),
};

static double work(int seed, double factor, double *part, const char *word, const char *label, struct point origin,
    int *counter)
{
    static cccp_place cccp_n2;
    struct { int i; } cccp_s = {0};
    struct work_arguments cccp_a = {seed, factor, part, word, label, origin, counter};
    ENTER(work_function, &cccp_a, 0);
    int i = 0;
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 1: goto cccp_1;
        case 2: goto cccp_2;
        default: return 0;
        }
    }
    if (0) {
    cccp_1:
        i = cccp_s.i;
    }
    cccp_s.i = i;
    cccp_register_begin(&cccp_f, 1);
    cccp_register(&cccp_f, 0, &cccp_type_int, &cccp_s.i, 0, 0, 0);
    REPLAYED();
    for (i = 0; i < 3; i++) {
        part[i] += factor * seed;
        ++*counter;
        if ((++cccp_calls, (++cccp_n2.calls >= cccp_n2.look) | cccp_due) && cccp_tick(&cccp_n2, 1)) {
            cccp_s.i = i;
            cccp_checkpoint(&cccp_f, 2);
        }
        if (0) {
        cccp_2:
            cccp_resume(&cccp_f, 2);
            i = cccp_s.i;
        }
        printf("%s %s: seed %d, (%g %g), part %g %g %g, counter %d\n", label, word, seed, origin.x, origin.y, part[0],
            part[1], part[2], *counter);
    }
    return part[0] + part[1];
}

static const cccp_block main_blocks[] = {
    {.kind = CCCP_BLOCK_INIT, .line = 90},
    {.kind = CCCP_BLOCK_REGISTER, .line = 92},
    {.kind = CCCP_BLOCK_CALL, .line = 95, .loop = 1, .name = "work", .passed = 1 << 6},
};
static const cccp_loop main_loops[] = {{.parent = 0, .counter = -1, .prunable = 1}};
static const cccp_item main_items[] = {
    ITEM("round", 92, CCCP_ITEM_LOCAL),
    ITEM("total", 92, CCCP_ITEM_LOCAL),
    ITEM("data", 92, CCCP_ITEM_BEHIND | CCCP_ITEM_LOCAL_POINTER),
    ITEM("counter", 92, CCCP_ITEM_LOCAL),
};
static const cccp_function main_function = {
    .name = "main", .file = "arguments.c", .line = 85, .fingerprint = 52,
    .block_count = COUNT(main_blocks), .blocks = main_blocks,
    .loop_count = COUNT(main_loops), .loops = main_loops,
    .item_count = COUNT(main_items), .items = main_items,
};

struct shadows {
    int round;
    double total;
    double *data;
};

int main(int argc, char **argv)
{
    struct shadows cccp_s = {0};
    ENTER(main_function, 0, 0);
    int round = 0, counter = 0;
    double total = 0, cccp_t;
    double *data;
#define LOAD() (round = cccp_s.round, total = cccp_s.total, data = cccp_s.data)
#define PUBLISH() (cccp_s = (struct shadows){round, total, data})
    cccp_init(&cccp_f, 1, &argc, &argv);
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 2: goto cccp_2;
        case 3: goto cccp_3;
        default: LOST();
        }
    }
    data = calloc(20, sizeof *data);
    if (0) {
    cccp_2:
        LOAD();
    }
    PUBLISH();
    cccp_register_begin(&cccp_f, 2);
    cccp_register(&cccp_f, 0, &cccp_type_int, &cccp_s.round, 0, 0, 0);
    cccp_register(&cccp_f, 1, &cccp_type_double, &cccp_s.total, 0, 0, 0);
    cccp_register(&cccp_f, 2, &cccp_type_double, &cccp_s.data, 0, 1, cccp_replaying ? 0 : (cccp_count[]){20});
    cccp_register(&cccp_f, 3, &cccp_type_int, &counter, 0, 0, 0);
    REPLAYED();
    for (round = 1; round <= 3; round++) {
        const char *word = argc > 1 ? argv[1] + 1 : "none";
        if (1) {
            PUBLISH();
            CALL_BEGIN(3);
            cccp_t = work(10 * round, 0.5, data + 4 * round, word, "label", (struct point){round, -round}, &counter);
            CALL_END();
        } else {
        cccp_3:
            LOAD();
            CALL_BEGIN(3);
            cccp_t = work(*(int *)cccp_argument(&cccp_f, 0), *(double *)cccp_argument(&cccp_f, 1),
                *(double **)cccp_argument(&cccp_f, 2), *(const char **)cccp_argument(&cccp_f, 3),
                *(const char **)cccp_argument(&cccp_f, 4), *(struct point *)cccp_argument(&cccp_f, 5), &counter);
            CALL_END();
            LOAD();
        }
        total += cccp_t;
        printf("round %d: %g\n", round, total);
    }
    cccp_shutdown(&cccp_f);
    return 0;
}
