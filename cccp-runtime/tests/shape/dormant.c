/* Blocks and calls in a loop with a checkpoint: while the loop runs, a restart needs the latest iteration only; once
 * it has ended, all of them, also when the earlier ones were passed over by a restart in between. */
#include "shape.h"

/* Not registered: the blocks make them anew. */
static int squares[4], cubes[4];

struct note_arguments {
    int i;
};
struct note_record {
    int i;
};
struct main_record {
    int i;
};
static const cccp_value note_parameters[] = {
    {"i", &cccp_type_int, offsetof(struct note_arguments, i), CCCP_VALUE_READ_BY_BLOCKS}};
static const cccp_value note_values[] = {VALUE(note_record, i, int)};
static const cccp_block note_blocks[] = {
    {.kind = CCCP_BLOCK_EXECUTE, .line = 21,
     .value_count = 1, .values = note_values, .record_size = sizeof(struct note_record)},
};
static const cccp_function note_function = {
    .name = "note", .file = "dormant.c", .line = 20, .fingerprint = 71,
    .block_count = COUNT(note_blocks), .blocks = note_blocks,
    .parameter_count = COUNT(note_parameters), .parameters = note_parameters,
    .arguments_size = sizeof(struct note_arguments),
};

static void note(int i)
{
    struct note_arguments cccp_a = {i};
    ENTER(note_function, &cccp_a, 0);
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 1: goto cccp_1;
        default: return;
        }
    }
    {
        struct note_record r = {i};
        cccp_execute(&cccp_f, 1, &r);
    }
    if (0) {
    cccp_1:;
        struct note_record r;
        cccp_values(&cccp_f, 1, &r);
        i = r.i;
    }
    cubes[i] = i * i * i;
    REPLAYED();
}

static const cccp_value main_values[] = {VALUE(main_record, i, int)};
static const cccp_block main_blocks[] = {
    {.kind = CCCP_BLOCK_INIT, .line = 60},
    {.kind = CCCP_BLOCK_REGISTER, .line = 61},
    {.kind = CCCP_BLOCK_EXECUTE, .line = 62, .loop = 1,
     .value_count = 1, .values = main_values, .record_size = sizeof(struct main_record)},
    {.kind = CCCP_BLOCK_CALL, .line = 63, .loop = 1, .name = "note"},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 64, .loop = 1},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 65, .loop = 2},
};
static const cccp_loop main_loops[] = {
    {.parent = 0, .counter = -1, .prunable = 0},
    {.parent = 0, .counter = -1, .prunable = 1},
};
static const cccp_item main_items[] = {ITEM("i", 61, CCCP_ITEM_LOCAL), ITEM("step", 61, CCCP_ITEM_LOCAL)};
static const cccp_function main_function = {
    .name = "main", .file = "dormant.c", .line = 55, .fingerprint = 72,
    .block_count = COUNT(main_blocks), .blocks = main_blocks,
    .loop_count = COUNT(main_loops), .loops = main_loops,
    .item_count = COUNT(main_items), .items = main_items,
};

int main(int argc, char **argv)
{
    static cccp_place cccp_n5, cccp_n6;
    struct { int i, step; } cccp_s = {0, 0};
    ENTER(main_function, 0, 0);
    int i = 0, step = 0;
    cccp_init(&cccp_f, 1, &argc, &argv);
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 2: goto cccp_2;
        case 3: goto cccp_3;
        case 4: goto cccp_4;
        case 5: goto cccp_5;
        case 6: goto cccp_6;
        default: LOST();
        }
    }
cccp_2:
    cccp_register_begin(&cccp_f, 2);
    cccp_register(&cccp_f, 0, &cccp_type_int, &cccp_s.i, 0, 0, 0);
    cccp_register(&cccp_f, 1, &cccp_type_int, &cccp_s.step, 0, 0, 0);
    REPLAYED();
    for (i = 0; i < 4; i++) {
        {
            struct main_record r = {i};
            cccp_execute(&cccp_f, 3, &r);
        }
        if (0) {
        cccp_3:;
            struct main_record r;
            cccp_values(&cccp_f, 3, &r);
            i = r.i;
        }
        squares[i] = i * i;
        REPLAYED();
        CALL_BEGIN(4);
        note(i);
        if (0) {
        cccp_4:
            CALL_BEGIN(4);
            note(*(int *)cccp_argument(&cccp_f, 0));
        }
        CALL_END();
        if ((++cccp_calls, (++cccp_n5.calls >= cccp_n5.look) | cccp_due) && cccp_tick(&cccp_n5, 0)) {
            cccp_s.i = i;
            cccp_s.step = step;
            cccp_checkpoint(&cccp_f, 5);
        }
        if (0) {
        cccp_5:
            cccp_resume(&cccp_f, 5);
            i = cccp_s.i;
            step = cccp_s.step;
        }
        printf("%d: %d %d\n", i, squares[i], cubes[i]);
    }
    for (step = 0; step < 3; step++) {
        if ((++cccp_calls, (++cccp_n6.calls >= cccp_n6.look) | cccp_due) && cccp_tick(&cccp_n6, 0)) {
            cccp_s.i = i;
            cccp_s.step = step;
            cccp_checkpoint(&cccp_f, 6);
        }
        if (0) {
        cccp_6:
            cccp_resume(&cccp_f, 6);
            i = cccp_s.i;
            step = cccp_s.step;
        }
        for (int k = 0; k < 4; k++)
            printf("%d %d ", squares[k], cubes[k]);
        printf("\n");
    }
    cccp_shutdown(&cccp_f);
    return 0;
}
