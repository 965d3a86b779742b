/* Registers made by a function that has returned: memory behind its own pointer, behind a global one, a static. */
#include "shape.h"

static double *global;

struct setup_arguments {
    int n;
};

static const cccp_value setup_parameters[] = {VALUE(setup_arguments, n, int)};
static const cccp_block setup_blocks[] = {{.kind = CCCP_BLOCK_REGISTER, .line = 30}};
static const cccp_item setup_items[] = {
    ITEM("u", 30, CCCP_ITEM_BEHIND | CCCP_ITEM_LOCAL_POINTER),
    ITEM("global", 30, CCCP_ITEM_BEHIND),
    ITEM("calls", 30, 0),
    ITEM("scratch", 30, CCCP_ITEM_LOCAL),
};
static const cccp_function setup_function = {
    .name = "setup", .file = "callee.c", .line = 25, .fingerprint = 11,
    .block_count = COUNT(setup_blocks), .blocks = setup_blocks,
    .item_count = COUNT(setup_items), .items = setup_items,
    .parameter_count = COUNT(setup_parameters), .parameters = setup_parameters,
    .arguments_size = sizeof(struct setup_arguments),
};

static double *setup(int n)
{
    struct { double *u; int scratch; } cccp_s = {0, 0};
    struct setup_arguments cccp_a = {n};
    ENTER(setup_function, &cccp_a, 0);
    static int calls;
    int scratch = 5;
    double *u;
    if (cccp_replaying) {
    cccp_dispatch:
        switch (cccp_next(&cccp_f)) {
        case 1: goto cccp_1;
        default: return 0;
        }
    }
    u = malloc(n * sizeof *u);
    global = malloc(n * sizeof *global);
    for (int i = 0; i < n; i++) {
        u[i] = i;
        global[i] = -i;
    }
    calls++;
    if (0) {
    cccp_1:
        u = cccp_s.u;
        scratch = cccp_s.scratch;
    }
    cccp_s.u = u;
    cccp_s.scratch = scratch;
    cccp_register_begin(&cccp_f, 1);
    cccp_register(&cccp_f, 0, &cccp_type_double, &cccp_s.u, 0, 1, cccp_replaying ? 0 : (cccp_count[]){n});
    cccp_register(&cccp_f, 1, &cccp_type_double, &global, 0, 1, cccp_replaying ? 0 : (cccp_count[]){n});
    cccp_register(&cccp_f, 2, &cccp_type_int, &calls, 0, 0, 0);
    cccp_register(&cccp_f, 3, &cccp_type_int, &cccp_s.scratch, 0, 0, 0);
    REPLAYED();
    printf("set up for the %d. time\n", calls);
    return u;
}

static const cccp_block main_blocks[] = {
    {.kind = CCCP_BLOCK_INIT, .line = 90},
    {.kind = CCCP_BLOCK_CALL, .line = 91, .name = "setup"},
    {.kind = CCCP_BLOCK_REGISTER, .line = 92},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 95, .loop = 1},
    {.kind = CCCP_BLOCK_CALL, .line = 98, .name = "setup"},
    {.kind = CCCP_BLOCK_CHECKPOINT, .line = 99},
};
static const cccp_loop main_loops[] = {{.parent = 0, .counter = -1}};
static const cccp_item main_items[] = {ITEM("p", 92, CCCP_ITEM_LOCAL), ITEM("step", 92, CCCP_ITEM_LOCAL)};
static const cccp_function main_function = {
    .name = "main", .file = "callee.c", .line = 80, .fingerprint = 12,
    .block_count = COUNT(main_blocks), .blocks = main_blocks,
    .loop_count = COUNT(main_loops), .loops = main_loops,
    .item_count = COUNT(main_items), .items = main_items,
};

int main(int argc, char **argv)
{
    static cccp_place cccp_n4, cccp_n6;
    struct { double *p; int step; } cccp_s = {0, 0};
    ENTER(main_function, 0, 0);
    enum { n = 10 };
    double *p, *cccp_t;
    int step = 0;
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
    if (1) {
        CALL_BEGIN(2);
        cccp_t = setup(n);
        CALL_END();
    } else {
    cccp_2:
        CALL_BEGIN(2);
        cccp_t = setup(*(int *)cccp_argument(&cccp_f, 0));
        CALL_END();
    }
    p = cccp_t;
    if (0) {
    cccp_3:
        p = cccp_s.p;
        step = cccp_s.step;
    }
    cccp_s.p = p;
    cccp_s.step = step;
    cccp_register_begin(&cccp_f, 3);
    cccp_register(&cccp_f, 0, &cccp_type_pointer, &cccp_s.p, 0, 0, 0);
    cccp_register(&cccp_f, 1, &cccp_type_int, &cccp_s.step, 0, 0, 0);
    REPLAYED();
    for (step = 0; step < 4; step++) {
        for (int i = 0; i < n; i++) {
            p[i] += global[i] * step + 0.5;
            global[i] -= 1;
        }
        if ((++cccp_calls, (++cccp_n4.calls >= cccp_n4.look) | cccp_due) && cccp_tick(&cccp_n4, 1)) {
            cccp_s.p = p;
            cccp_s.step = step;
            cccp_checkpoint(&cccp_f, 4);
        }
        if (0) {
        cccp_4:
            cccp_resume(&cccp_f, 4);
            p = cccp_s.p;
            step = cccp_s.step;
        }
        printf("step %d: %g %g\n", step, p[3], global[n - 1]);
    }
    /* Once more: the memory of the first call stays registered, and the pointer global leads to new memory. */
    if (1) {
        cccp_s.p = p;
        cccp_s.step = step;
        CALL_BEGIN(5);
        cccp_t = setup(n);
        CALL_END();
    } else {
    cccp_5:
        CALL_BEGIN(5);
        cccp_t = setup(*(int *)cccp_argument(&cccp_f, 0));
        CALL_END();
    }
    if ((++cccp_calls, (++cccp_n6.calls >= cccp_n6.look) | cccp_due) && cccp_tick(&cccp_n6, 1)) {
        cccp_s.p = p;
        cccp_s.step = step;
        cccp_checkpoint(&cccp_f, 6);
    }
    if (0) {
    cccp_6:
        cccp_resume(&cccp_f, 6);
        p = cccp_s.p;
        step = cccp_s.step;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * p[i] + global[i];
    printf("sum %.17g after %d steps\n", sum, step);
    cccp_shutdown(&cccp_f);
    return 0;
}
