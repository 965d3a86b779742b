typedef long work(long);
work *other_plain(void);

static long plain(long x)
{
#pragma cccp checkpoint
    return x * 7 % 1013;
}

work *other_plain(void)
{
    return plain;
}
