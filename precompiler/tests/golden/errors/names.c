/* s02: unknown and incomplete names. */
#include <stdio.h>
#define SIZE 4
struct hidden;
typedef struct { int count; unsigned ready : 1; double *cell; } grid;
enum color { RED };
extern int open_array[];
static __thread int mine;
int main(void)
{
    struct hidden *h = NULL;
    void *memory = NULL;
    double **rows = NULL, velocity = 0;
    grid g = {0}, *p = &g;
    { int inner = 1; (void)inner; }
    #pragma cccp init
    #pragma cccp register(velocty, later, inner, SIZE, RED, grid, main, mine)
    #pragma cccp register(h[3], memory[10], open_array)
    #pragma cccp register(g.cout, p->ready, g->cell, p.cell, velocity.x, h->x)
    #pragma cccp register(velocity[2], rows[3][4], g.cell[1][2:3], g.cell[velocity], p[g])
    #pragma cccp checkpoint every(g) if(g)
    #pragma cccp client(slove, velocity, printf)
    int later = 0;
    return later + (rows == NULL);
}
