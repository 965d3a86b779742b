/* Recursion: checkpoints on the way down, at the bottom and on the way up come back to the same depth. Every depth
 * calls twice, and registers a local of its own under the same name. */
#include "shape.h"

static int visits;

struct descend_arguments {
    int depth;
    long path;
};
static const cccp_value parameters[] = {
    VALUE(descend_arguments, depth, int),
    VALUE(descend_arguments, path, long),
};
static const cccp_block blocks[] = {
    {.kind = CCCP_BLOCK_REGISTER, .line = 40},
    {.kind = CCCP_BLOCK_CALL, .line = 45, .loop = 1, .name = "descend"},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 50},
};
static const cccp_loop loops[] = {{.parent = 0, .counter = -1, .prunable = 0}};
static const cccp_item items[] = {ITEM("sum", 40, CCCP_ITEM_LOCAL), ITEM("i", 40, CCCP_ITEM_LOCAL)};
static const cccp_function descend_function = {
    .name = "descend", .file = "recursion.c", .line = 35, .fingerprint = 61,
    .block_count = COUNT(blocks), .blocks = blocks,
    .loop_count = COUNT(loops), .loops = loops,
    .item_count = COUNT(items), .items = items,
    .parameter_count = COUNT(parameters), .parameters = parameters,
    .arguments_size = sizeof(struct descend_arguments),
};

struct shadows {
    long sum;
    int i;
};
#define LOAD() (sum = cccp_s.sum, i = cccp_s.i)
#define PUBLISH() (cccp_s = (struct shadows){sum, i})

static long descend(int depth, long path)
{
    static cccp_place cccp_n3;
    struct shadows cccp_s = {0};
    struct descend_arguments cccp_a = {depth, path};
    ENTER(descend_function, &cccp_a, 0);
    long sum = path, cccp_t;
    int i = 0;
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 1: goto cccp_1;
        case 2: goto cccp_2;
        case 3: goto cccp_3;
        default: return 0;
        }
    }
    if (0) {
    cccp_1:
        LOAD();
    }
    PUBLISH();
    cccp_register_begin(&cccp_f, 1);
    cccp_register(&cccp_f, 0, &cccp_type_long, &cccp_s.sum, 0, 0, 0);
    cccp_register(&cccp_f, 1, &cccp_type_int, &cccp_s.i, 0, 0, 0);
    REPLAYED();
    for (i = 1; i <= 2 && depth > 0; i++) {
        if (1) {
            PUBLISH();
            CALL_BEGIN(2);
            cccp_t = descend(depth - 1, 10 * path + i);
            CALL_END();
        } else {
        cccp_2:
            LOAD();
            CALL_BEGIN(2);
            cccp_t = descend(*(int *)cccp_argument(&cccp_f, 0), *(long *)cccp_argument(&cccp_f, 1));
            CALL_END();
            LOAD();
        }
        sum += cccp_t;
    }
    visits++;
    if ((++cccp_calls, (++cccp_n3.calls >= cccp_n3.look) | cccp_due) && cccp_tick(&cccp_n3, 1)) {
        PUBLISH();
        cccp_checkpoint(&cccp_f, 3);
    }
    if (0) {
    cccp_3:
        cccp_resume(&cccp_f, 3);
        LOAD();
    }
    printf("visit %d at depth %d, path %ld: sum %ld\n", visits, depth, path, sum);
    return sum;
}

static const cccp_block main_blocks[] = {
    {.kind = CCCP_BLOCK_INIT, .line = 90},
    {.kind = CCCP_BLOCK_REGISTER, .line = 91},
    {.kind = CCCP_BLOCK_CALL, .line = 92, .name = "descend"},
};
static const cccp_item main_items[] = {ITEM("visits", 91, 0)};
static const cccp_function main_function = {
    .name = "main", .file = "recursion.c", .line = 89, .fingerprint = 62,
    .block_count = COUNT(main_blocks), .blocks = main_blocks,
    .item_count = COUNT(main_items), .items = main_items,
};

int main(int argc, char **argv)
{
    ENTER(main_function, 0, 0);
    long cccp_t;
    cccp_init(&cccp_f, 1, &argc, &argv);
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 2: goto cccp_2;
        case 3: goto cccp_3;
        default: LOST();
        }
    }
cccp_2:
    cccp_register_begin(&cccp_f, 2);
    cccp_register(&cccp_f, 0, &cccp_type_int, &visits, 0, 0, 0);
    REPLAYED();
    if (1) {
        CALL_BEGIN(3);
        cccp_t = descend(3, 1);
        CALL_END();
    } else {
    cccp_3:
        CALL_BEGIN(3);
        cccp_t = descend(*(int *)cccp_argument(&cccp_f, 0), *(long *)cccp_argument(&cccp_f, 1));
        CALL_END();
    }
    printf("sum %ld after %d visits\n", cccp_t, visits);
    cccp_shutdown(&cccp_f);
    return 0;
}
