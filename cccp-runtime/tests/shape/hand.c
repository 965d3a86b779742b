/* The library by hand: two checkpoint sites, a register that is replaced, one that ends. */
#include "shape.h"

static void require(int code)
{
    if (code != CCCP_OK)
        exit(8);
}

int main(int argc, char **argv)
{
    int step = 0, n = 10, scratch = 0;
    double phase = 0;
    double *u = calloc(2 * n, sizeof *u);
    require(CCCP_Init(&argc, &argv));
    require(CCCP_Register(&step, 1, CCCP_INT, "step"));
    require(CCCP_Register(&n, 1, CCCP_INT, "n"));
    require(CCCP_Register(&phase, 1, CCCP_DOUBLE, "phase"));
    require(CCCP_Register(u, 2 * n, CCCP_DOUBLE, "u"));
    require(CCCP_Register(&scratch, 1, CCCP_INT, "scratch"));
    require(CCCP_Unregister("scratch"));
    switch (CCCP_Jump_next()) {
    case 1: goto in_loop;
    case 2: goto at_end;
    }
    for (step = 0; step < 3; step++) {
        for (int i = 0; i < n; i++)
            u[i] += i * step + phase;
        phase += 0.25;
    in_loop:
        require(CCCP_Do_checkpoint(1));
        printf("step %d: %g %g\n", step, u[9], phase);
    }
at_end:
    require(CCCP_Do_checkpoint(2));
    printf("n %d, arguments %d, u %g\n", n, argc, u[5]);
    require(CCCP_Shutdown());
    free(u);
    return 0;
}
