/* Blocks that run again on restart: in a finished loop (once for each iteration, with the values of that iteration),
 * in a branch not taken (never), in the loop around the checkpoint (for the latest iteration). */
#include "shape.h"

/* Not registered: the blocks make them anew. */
static int squares[8], latest, untaken, order[16], ordered;

struct record_2 {
    int i;
};
struct record_4 {
    int step;
};
static const cccp_value values_2[] = {VALUE(record_2, i, int)};
static const cccp_value values_4[] = {VALUE(record_4, step, int)};
static const cccp_block main_blocks[] = {
    {.kind = CCCP_BLOCK_INIT, .line = 30},
    {.kind = CCCP_BLOCK_EXECUTE, .line = 40, .loop = 1,
     .value_count = 1, .values = values_2, .record_size = sizeof(struct record_2)},
    {.kind = CCCP_BLOCK_EXECUTE, .line = 45},
    {.kind = CCCP_BLOCK_EXECUTE, .line = 50, .loop = 2,
     .value_count = 1, .values = values_4, .record_size = sizeof(struct record_4)},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 55, .loop = 2},
    {.kind = CCCP_BLOCK_REGISTER, .line = 38},
};
static const cccp_loop main_loops[] = {
    {.parent = 0, .counter = -1, .prunable = 0},
    {.parent = 0, .counter = -1, .prunable = 1},
};
static const cccp_item main_items[] = {ITEM("step", 38, CCCP_ITEM_LOCAL)};
static const cccp_function main_function = {
    .name = "main", .file = "blocks.c", .line = 25, .fingerprint = 41,
    .block_count = COUNT(main_blocks), .blocks = main_blocks,
    .loop_count = COUNT(main_loops), .loops = main_loops,
    .item_count = COUNT(main_items), .items = main_items,
};

int main(int argc, char **argv)
{
    static cccp_place cccp_n5;
    struct { int step; } cccp_s = {0};
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
    if (0) {
    cccp_6:
        step = cccp_s.step;
    }
    cccp_s.step = step;
    cccp_register_begin(&cccp_f, 6);
    cccp_register(&cccp_f, 0, &cccp_type_int, &cccp_s.step, 0, 0, 0);
    REPLAYED();
    for (i = 0; i < 8; i += 2) {
        {
            struct record_2 r = {i};
            cccp_execute(&cccp_f, 2, &r);
        }
        if (0) {
        cccp_2:;
            struct record_2 r;
            cccp_values(&cccp_f, 2, &r);
            i = r.i;
        }
        squares[i] = i * i;
        order[ordered++] = i;
        REPLAYED();
    }
    if (argc > 5) {
        cccp_execute(&cccp_f, 3, 0);
    cccp_3:
        untaken = 1;
        REPLAYED();
    }
    for (step = 1; step <= 5; step++) {
        {
            struct record_4 r = {step};
            cccp_execute(&cccp_f, 4, &r);
        }
        if (0) {
        cccp_4:;
            struct record_4 r;
            cccp_values(&cccp_f, 4, &r);
            step = r.step;
        }
        latest = 100 * step;
        REPLAYED();
        if ((++cccp_calls, (++cccp_n5.calls >= cccp_n5.look) | cccp_due) && cccp_tick(&cccp_n5, 1)) {
            cccp_s.step = step;
            cccp_checkpoint(&cccp_f, 5);
        }
        if (0) {
        cccp_5:
            cccp_resume(&cccp_f, 5);
            step = cccp_s.step;
        }
        printf("%d:", step);
        for (int k = 0; k < 8; k++)
            printf(" %d", squares[k]);
        printf(" | %d %d |", latest, untaken);
        for (int k = 0; k < ordered; k++)
            printf(" %d", order[k]);
        printf("\n");
    }
    cccp_shutdown(&cccp_f);
    return 0;
}
