static int level = __INCLUDE_LEVEL__;

static void work(void)
{
    int i;
#pragma cccp register(i, level)
    for (i = 0; i < 10; i++) {
#pragma cccp checkpoint
        level++;
    }
}
