// auto resumes 3 9
// assumes `row.at`, from which something is taken away, leads into its own memory at every checkpoint
#include <stdio.h>
#include <stdlib.h>

struct row {
    double *at;
};

static void back(struct row *row, int by)
{
    row->at -= by;
}

int main(void)
{
    double *cells = calloc(10, sizeof *cells);
    struct row row = {cells + 5};
    for (int i = 0; i < 12; i++) {
        back(&row, i % 2 ? -1 : 1);
        row.at[0] += i;
        for (int k = 0; k < 10; k++)
            cells[k] += 0.5 * row.at[0];
    }
    printf("%g %g\n", cells[4], row.at[0]);
    return 0;
}
