extern int limit;
static int state, moves;

void prepare(first)
int first;
{
    state = first;
}

one_step(step, sum)
int step, sum;
{
    int i;
    for (i = 0; i < limit; i++)
        state = (state * 31 + step + i + sum) % 101;
    moves++;
    show("state", state);
    return state;
}

int halves(value)
int value;
{
    return value > 50;
}

weight(step)
{
    return state % (step + 2);
}

finished()
{
    return moves;
}
