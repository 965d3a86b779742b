/* A buffer that grows by realloc and is registered again whenever it has grown. */
#include "shape.h"

static const cccp_block main_blocks[] = {
    {.kind = CCCP_BLOCK_INIT, .line = 30},
    {.kind = CCCP_BLOCK_REGISTER, .line = 40},
    {.kind = CCCP_BLOCK_REGISTER, .line = 45, .loop = 1},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 50, .loop = 1},
};
static const cccp_loop main_loops[] = {{.parent = 0, .counter = -1, .prunable = 1}};
static const cccp_item main_items[] = {
    ITEM("size", 40, CCCP_ITEM_LOCAL),
    ITEM("step", 40, CCCP_ITEM_LOCAL),
    ITEM("list", 45, CCCP_ITEM_BEHIND | CCCP_ITEM_LOCAL_POINTER),
};
static const cccp_function main_function = {
    .name = "main", .file = "grow.c", .line = 20, .fingerprint = 31,
    .block_count = COUNT(main_blocks), .blocks = main_blocks,
    .loop_count = COUNT(main_loops), .loops = main_loops,
    .item_count = COUNT(main_items), .items = main_items,
};

struct shadows {
    int size, step;
    int *list;
};

int main(int argc, char **argv)
{
    static cccp_place cccp_n4;
    struct shadows cccp_s = {0};
    ENTER(main_function, 0, 0);
    int size = 0, step = 0;
    int *list = NULL;
#define LOAD() (size = cccp_s.size, step = cccp_s.step, list = cccp_s.list)
#define PUBLISH() (cccp_s = (struct shadows){size, step, list})
    cccp_init(&cccp_f, 1, &argc, &argv);
    if (cccp_replaying) {
        PUBLISH();
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 2: goto cccp_2;
        case 3: goto cccp_3;
        case 4: goto cccp_4;
        default: LOST();
        }
    }
    if (0) {
    cccp_2:
        LOAD();
    }
    PUBLISH();
    cccp_register_begin(&cccp_f, 2);
    cccp_register(&cccp_f, 0, &cccp_type_int, &cccp_s.size, 0, 0, 0);
    cccp_register(&cccp_f, 1, &cccp_type_int, &cccp_s.step, 0, 0, 0);
    REPLAYED();
    for (step = 0; step < 8; step++) {
        if (step % 2 == 0) {
            list = realloc(list, (size + 1000 * step + 1) * sizeof *list);
            for (int i = 0; i < 1000 * step + 1; i++)
                list[size + i] = step * i;
            size += 1000 * step + 1;
            if (0) {
            cccp_3:
                LOAD();
            }
            PUBLISH();
            cccp_register_begin(&cccp_f, 3);
            cccp_register(&cccp_f, 2, &cccp_type_int, &cccp_s.list, 0, 1, cccp_replaying ? 0 : (cccp_count[]){size});
            REPLAYED();
        }
        list[step % size] += 3;
        if ((++cccp_calls, (++cccp_n4.calls >= cccp_n4.look) | cccp_due) && cccp_tick(&cccp_n4, 1)) {
            PUBLISH();
            cccp_checkpoint(&cccp_f, 4);
        }
        if (0) {
        cccp_4:
            cccp_resume(&cccp_f, 4);
            LOAD();
        }
        long sum = 0;
        for (int i = 0; i < size; i++)
            sum += list[i];
        printf("%d: %d numbers, sum %ld\n", step, size, sum);
    }
    free(list);
    cccp_shutdown(&cccp_f);
    return 0;
}
