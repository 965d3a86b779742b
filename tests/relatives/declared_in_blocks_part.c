static int count;

static int larger(value)
int value;
{
    return value + ++count;
}

int other(value)
int value;
{
    int larger();
    return larger(value);
}
