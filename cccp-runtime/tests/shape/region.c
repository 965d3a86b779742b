/* A variable-length array: its declaration is a block, with a jump table of its own behind it. */
#include "shape.h"

struct solve_arguments {
    int n;
    int rounds;
};
struct record_1 {
    int n;
    int width;
};
static const cccp_value parameters[] = {VALUE(solve_arguments, n, int), VALUE(solve_arguments, rounds, int)};
static const cccp_value values_1[] = {VALUE(record_1, n, int), VALUE(record_1, width, int)};
static const cccp_block blocks[] = {
    {.kind = CCCP_BLOCK_REGION, .line = 30, .loop = 1,
     .value_count = 2, .values = values_1, .record_size = sizeof(struct record_1)},
    {.kind = CCCP_BLOCK_REGISTER, .line = 31, .loop = 1, .region = 1},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 35, .loop = 2, .region = 1},
    {.kind = CCCP_BLOCK_REGISTER, .line = 28},
};
static const cccp_loop loops[] = {
    {.parent = 0, .counter = -1, .prunable = 1},
    {.parent = 1, .counter = 0, .prunable = 0},
};
static const cccp_item items[] = {
    ITEM("round", 28, CCCP_ITEM_LOCAL),
    ITEM("grid", 31, CCCP_ITEM_LOCAL),
    ITEM("step", 31, CCCP_ITEM_LOCAL),
    ITEM("total", 28, CCCP_ITEM_LOCAL),
};
static const cccp_function solve_function = {
    .name = "solve", .file = "region.c", .line = 25, .fingerprint = 71,
    .block_count = COUNT(blocks), .blocks = blocks,
    .loop_count = COUNT(loops), .loops = loops,
    .item_count = COUNT(items), .items = items,
    .parameter_count = COUNT(parameters), .parameters = parameters,
    .arguments_size = sizeof(struct solve_arguments), .counter_count = 1,
};

struct shadows {
    int round;
    int step;
    double total;
};
#define PUBLISH() (cccp_s.round = round, cccp_s.total = total)
#define LOAD() (round = cccp_s.round, total = cccp_s.total)

static double solve(int n, int rounds)
{
    static cccp_place cccp_n3;
    struct shadows cccp_s = {0};
    struct solve_arguments cccp_a = {n, rounds};
    unsigned long cccp_i[1] = {0};
    ENTER(solve_function, &cccp_a, cccp_i);
    int round = 0, cccp_b;
    double total = 0;
    if (cccp_replaying) {
    cccp_dispatch:
        cccp_b = cccp_next(&cccp_f);
        switch (cccp_b) {
        case 1: goto cccp_1;
        case 4: goto cccp_4;
        default: return 0;
        }
    }
    if (0) {
    cccp_4:
        LOAD();
    }
    PUBLISH();
    cccp_register_begin(&cccp_f, 4);
    cccp_register(&cccp_f, 0, &cccp_type_int, &cccp_s.round, 0, 0, 0);
    cccp_register(&cccp_f, 3, &cccp_type_double, &cccp_s.total, 0, 0, 0);
    REPLAYED();
    for (round = 0; round < rounds; round++) {
        int width = 3 + round;
        {
            struct record_1 r = {n, width};
            cccp_execute(&cccp_f, 1, &r);
        }
        if (0) {
        cccp_1:
            LOAD();
            struct record_1 r;
            cccp_values(&cccp_f, 1, &r);
            n = r.n;
            width = r.width;
        }
        double grid[n][width];
        int step = 0;
        if (cccp_replaying) {
        cccp_inside:
            cccp_b = cccp_next(&cccp_f);
            switch (cccp_b) {
            case 2: goto cccp_2;
            case 3: goto cccp_3;
            default: goto cccp_dispatch;
            }
        }
        memset(grid, 0, sizeof grid);
        if (0) {
        cccp_2:
            LOAD();
            step = cccp_s.step;
        }
        PUBLISH();
        cccp_s.step = step;
        cccp_register_begin(&cccp_f, 2);
        cccp_register(&cccp_f, 1, &cccp_type_double, grid, 0, 2,
            cccp_replaying ? 0 : ((cccp_count[]){n, width}));
        cccp_register(&cccp_f, 2, &cccp_type_int, &cccp_s.step, 0, 0, 0);
        if (cccp_replaying)
            goto cccp_inside;
        ++cccp_i[0];
        for (step = 0; step < 2; step++) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < width; j++)
                    grid[i][j] += (i + 1) * (j + 1) * (round + 1) + step;
            if ((++cccp_calls, (++cccp_n3.calls >= cccp_n3.look) | cccp_due) && cccp_tick(&cccp_n3, 1)) {
                PUBLISH();
                cccp_s.step = step;
                cccp_checkpoint(&cccp_f, 3);
            }
            if (0) {
            cccp_3:
                cccp_resume(&cccp_f, 3);
                LOAD();
                step = cccp_s.step;
            }
            total += grid[n - 1][width - 1];
            printf("round %d, step %d: %d x %d, corner %g, total %g\n", round, step, n, width,
                grid[n - 1][width - 1], total);
        }
    }
    return total;
}

static const cccp_block main_blocks[] = {
    {.kind = CCCP_BLOCK_INIT, .line = 90},
    {.kind = CCCP_BLOCK_CALL, .line = 92, .name = "solve"},
};
static const cccp_function main_function = {
    .name = "main", .file = "region.c", .line = 89, .fingerprint = 72,
    .block_count = COUNT(main_blocks), .blocks = main_blocks,
};

int main(int argc, char **argv)
{
    ENTER(main_function, 0, 0);
    double cccp_t;
    cccp_init(&cccp_f, 1, &argc, &argv);
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 2: goto cccp_2;
        default: LOST();
        }
    }
    if (1) {
        CALL_BEGIN(2);
        cccp_t = solve(4, 3);
        CALL_END();
    } else {
    cccp_2:
        CALL_BEGIN(2);
        cccp_t = solve(*(int *)cccp_argument(&cccp_f, 0), *(int *)cccp_argument(&cccp_f, 1));
        CALL_END();
    }
    printf("total %g\n", cccp_t);
    cccp_shutdown(&cccp_f);
    return 0;
}
