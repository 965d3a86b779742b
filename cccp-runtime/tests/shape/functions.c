/* Pointers to functions: in a struct, in an array, as an argument; and an active call through one of them. */
#include "shape.h"

typedef double (*operation)(double);

static double half(double x)
{
    return x / 2;
}

static double triple(double x)
{
    return 3 * x;
}

static int checkpointed(int rounds, operation apply);

static const cccp_function_name names[] = {
    {"half", (void (*)(void))half},
    {"triple", (void (*)(void))triple},
    {"checkpointed", (void (*)(void))checkpointed},
};

struct plan {
    operation next;
    int uses;
    operation table[2];
    operation none;
};
static const cccp_member plan_members[] = {
    {"next", &cccp_type_function, offsetof(struct plan, next), 1, 0},
    {"uses", &cccp_type_int, offsetof(struct plan, uses), 1, 0},
    {"table", &cccp_type_function, offsetof(struct plan, table), 2, 0},
    {"none", &cccp_type_function, offsetof(struct plan, none), 1, 0},
};
static const cccp_type plan_type = {CCCP_KIND_STRUCT, 4, sizeof(struct plan), "struct plan", plan_members};

static struct plan plan;
static double value = 1;

struct work_arguments {
    int rounds;
    operation apply;
};
static const cccp_value parameters[] = {
    VALUE(work_arguments, rounds, int),
    VALUE(work_arguments, apply, function),
};
static const cccp_block blocks[] = {
    {.kind = CCCP_BLOCK_REGISTER, .line = 60},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 65, .loop = 1},
};
static const cccp_loop loops[] = {{.parent = 0, .counter = -1, .prunable = 1}};
static const cccp_item items[] = {ITEM("i", 60, CCCP_ITEM_LOCAL)};
static const cccp_function work_function = {
    .name = "checkpointed", .file = "functions.c", .line = 58, .fingerprint = 81,
    .block_count = COUNT(blocks), .blocks = blocks,
    .loop_count = COUNT(loops), .loops = loops,
    .item_count = COUNT(items), .items = items,
    .parameter_count = COUNT(parameters), .parameters = parameters,
    .arguments_size = sizeof(struct work_arguments),
    .name_count = COUNT(names), .names = names,
};

static int checkpointed(int rounds, operation apply)
{
    static cccp_place cccp_n2;
    struct { int i; } cccp_s = {0};
    struct work_arguments cccp_a = {rounds, apply};
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
    for (i = 0; i < rounds; i++) {
        value = plan.next(apply(value));
        plan.next = plan.table[++plan.uses % 2];
        if ((++cccp_calls, (++cccp_n2.calls >= cccp_n2.look) | cccp_due) && cccp_tick(&cccp_n2, 1)) {
            cccp_s.i = i;
            cccp_checkpoint(&cccp_f, 2);
        }
        if (0) {
        cccp_2:
            cccp_resume(&cccp_f, 2);
            i = cccp_s.i;
        }
        printf("%d: %g, next %s, none %s\n", plan.uses, value, plan.next == half ? "half" : "triple",
            plan.none ? "set" : "null");
    }
    return rounds;
}

static const cccp_block main_blocks[] = {
    {.kind = CCCP_BLOCK_INIT, .line = 90},
    {.kind = CCCP_BLOCK_REGISTER, .line = 91},
    {.kind = CCCP_BLOCK_CALL, .line = 92, .loop = 1},
};
static const cccp_item main_items[] = {ITEM("plan", 91, 0), ITEM("value", 91, 0), ITEM("k", 91, CCCP_ITEM_LOCAL)};
static const cccp_function main_function = {
    .name = "main", .file = "functions.c", .line = 89, .fingerprint = 82,
    .block_count = COUNT(main_blocks), .blocks = main_blocks,
    .loop_count = COUNT(loops), .loops = loops,
    .item_count = COUNT(main_items), .items = main_items,
    .name_count = COUNT(names), .names = names,
};

int main(int argc, char **argv)
{
    struct { int k; } cccp_s = {0};
    ENTER(main_function, 0, 0);
    int (*run)(int, operation) = checkpointed;
    int k = 0, cccp_t;
    cccp_init(&cccp_f, 1, &argc, &argv);
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 2: goto cccp_2;
        case 3: goto cccp_3;
        default: LOST();
        }
    }
    plan = (struct plan){triple, 0, {half, triple}, NULL};
    if (0) {
    cccp_2:
        k = cccp_s.k;
    }
    cccp_s.k = k;
    cccp_register_begin(&cccp_f, 2);
    cccp_register(&cccp_f, 0, &plan_type, &plan, 0, 0, 0);
    cccp_register(&cccp_f, 1, &cccp_type_double, &value, 0, 0, 0);
    cccp_register(&cccp_f, 2, &cccp_type_int, &cccp_s.k, 0, 0, 0);
    REPLAYED();
    for (k = 0; k < 2; k++) {
        if (1) {
            cccp_s.k = k;
            CALL_BEGIN(3);
            cccp_t = run(2 + k, k ? half : triple);
            CALL_END();
        } else {
        cccp_3:
            CALL_BEGIN(3);
            if (cccp_target(&cccp_f) != (void (*)(void))checkpointed)
                LOST();
            cccp_t = ((int (*)(int, operation))cccp_target(&cccp_f))(*(int *)cccp_argument(&cccp_f, 0), *(operation *)cccp_argument(&cccp_f, 1));
            CALL_END();
            k = cccp_s.k;
        }
        printf("%d rounds\n", cccp_t);
    }
    cccp_shutdown(&cccp_f);
    return 0;
}
