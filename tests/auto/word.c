/* Nothing but a parenthesis between a word and a call that leads to the checkpoint. */
#include <stdio.h>

static double settled(int passes, double level)
{
    for (int i = 0; i < passes; i++)
        level = level * 1.01 + i;
    return level;
}

static double begun(int passes, double level)
{
    return(settled(passes, level));
}

int main(void)
{
    double level = 1.0;
    if (level > 0)level = begun(20, level);else(level = begun(3, level));
    printf("%.17g\n", level);
    return(begun(2, level) < 0.0);
}
