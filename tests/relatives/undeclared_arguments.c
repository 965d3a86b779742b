/* What is handed to functions without prototypes of another file: numbers that are promoted on the way, arrays of structs */
#include <stdio.h>

struct all {
    double out[3];
    int n;
};

void advance();
void narrow();

static float scale = 1.5f;
static struct all everything = { { 1, 2, 3 }, 2 };
static struct all *all = &everything;

int main(void)
{
    float own[2] = { 1.25f, 2.5f };
    double wide = 2.25;
    for (int k = 0; k < 2; k++) {
        advance(k, all->out, own[k] * scale, k + 2);
        narrow(wide * own[k], all->out, 'a' + k);
    }
    printf("%.10g %.10g %.10g\n", all->out[0], all->out[1], all->out[2]);
    return 0;
}
