/* Pictures and a trace through pipes, each only if the user asks for it. */
#include <stdio.h>
#include <stdlib.h>
struct output { FILE *display; int pictures; double scale; };
static struct output *out;
static FILE *trace;
static void open_display(const char *command)
{
    out->display = popen(command, "w");
    if (!out->display) exit(1);
    fprintf(out->display, "set term dumb\n");
}
static void show(const double *u, int step)
{
    if (trace) fprintf(trace, "%d %g\n", step, u[step % 8]);
    if (!out->display) return;
    fprintf(out->display, "plot %d %g\n", step, u[0] * out->scale);
    fflush(out->display);
    out->pictures++;
}
int main(int argc, char **argv)
{
    double *u = calloc(8, sizeof *u), sum = 0;
    out = calloc(1, sizeof *out);
    out->scale = 2;
    if (argc > 1) open_display("cat > pictures");
    if (argc > 2) trace = popen(argv[2], "w");
    for (int step = 0; step < 24; step++) {
        for (int k = 0; k < 8; k++) u[k] += 0.5 * u[(k + 1) % 8] + step;
        for (int k = 0; k < 8; k++) sum += u[k];
        show(u, step);
    }
    if (out->display) pclose(out->display);
    if (trace) pclose(trace);
    printf("%g %d\n", sum, out->pictures);
    return 0;
}
