/* Two buffers whose pointers are exchanged in every step, and a third pointer into one of them. */
#include "shape.h"

static const cccp_block main_blocks[] = {
    {.kind = CCCP_BLOCK_INIT, .line = 30},
    {.kind = CCCP_BLOCK_REGISTER, .line = 40},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 50, .loop = 1},
};
static const cccp_loop main_loops[] = {{.parent = 0, .counter = -1, .prunable = 0}};
static const cccp_item main_items[] = {
    ITEM("n", 40, CCCP_ITEM_LOCAL),
    ITEM("step", 40, CCCP_ITEM_LOCAL),
    ITEM("u", 40, CCCP_ITEM_BEHIND | CCCP_ITEM_LOCAL_POINTER),
    ITEM("v", 40, CCCP_ITEM_BEHIND | CCCP_ITEM_LOCAL_POINTER),
    ITEM("middle", 40, CCCP_ITEM_LOCAL),
    ITEM("tail", 40, CCCP_ITEM_BEHIND | CCCP_ITEM_LOCAL_POINTER),
};
static const cccp_function main_function = {
    .name = "main", .file = "swap.c", .line = 20, .fingerprint = 21,
    .block_count = COUNT(main_blocks), .blocks = main_blocks,
    .loop_count = COUNT(main_loops), .loops = main_loops,
    .item_count = COUNT(main_items), .items = main_items,
};

struct shadows {
    int n, step;
    double *u, *v, *middle, *tail;
};

int main(int argc, char **argv)
{
    static cccp_place cccp_n3;
    struct shadows cccp_s = {0};
    ENTER(main_function, 0, 0);
    int n, step;
    double *u, *v, *middle, *tail;
#define LOAD() (n = cccp_s.n, step = cccp_s.step, u = cccp_s.u, v = cccp_s.v, middle = cccp_s.middle, tail = cccp_s.tail)
#define PUBLISH() (cccp_s = (struct shadows){n, step, u, v, middle, tail})
    cccp_init(&cccp_f, 1, &argc, &argv);
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 2: goto cccp_2;
        case 3: goto cccp_3;
        default: LOST();
        }
    }
    n = 100;
    step = 0;
    u = malloc(n * sizeof *u);
    v = malloc(n * sizeof *v);
    middle = u + n / 2;
    tail = v + n - 10;
    for (int i = 0; i < n; i++) {
        u[i] = i % 7;
        v[i] = 0;
    }
    if (0) {
    cccp_2:
        LOAD();
    }
    PUBLISH();
    cccp_register_begin(&cccp_f, 2);
    cccp_register(&cccp_f, 0, &cccp_type_int, &cccp_s.n, 0, 0, 0);
    cccp_register(&cccp_f, 1, &cccp_type_int, &cccp_s.step, 0, 0, 0);
    cccp_register(&cccp_f, 2, &cccp_type_double, &cccp_s.u, 0, 1, cccp_replaying ? 0 : (cccp_count[]){n});
    cccp_register(&cccp_f, 3, &cccp_type_double, &cccp_s.v, 0, 1, cccp_replaying ? 0 : (cccp_count[]){n});
    cccp_register(&cccp_f, 4, &cccp_type_pointer, &cccp_s.middle, 0, 0, 0);
    cccp_register(&cccp_f, 5, &cccp_type_double, &cccp_s.tail, 2, 1, cccp_replaying ? 0 : (cccp_count[]){8});
    REPLAYED();
    for (step = 0; step < 6; step++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
        double *old = u;
        u = v;
        v = old;
        if ((++cccp_calls, (++cccp_n3.calls >= cccp_n3.look) | cccp_due) && cccp_tick(&cccp_n3, 1)) {
            PUBLISH();
            cccp_checkpoint(&cccp_f, 3);
        }
        if (0) {
        cccp_3:
            cccp_resume(&cccp_f, 3);
            LOAD();
        }
        printf("%d: %.17g, middle in %s at %d, tail in %s at %d: %.17g\n", step, u[n / 2],
            middle >= u && middle < u + n ? "u" : "v",
            (int)(middle >= u && middle < u + n ? middle - u : middle - v),
            tail >= u && tail < u + n ? "u" : "v", (int)(tail >= u && tail < u + n ? tail - u : tail - v), tail[4]);
    }
    free(u);
    free(v);
    cccp_shutdown(&cccp_f);
    return 0;
}
