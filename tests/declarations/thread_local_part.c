/* The other file of thread_local.c and thread_local_by_hand.c. */
__thread long shared = 3;
static __thread long own = 1;

long turn(long by)
{
    own = own * 3 + by;
    shared += own;
    return shared;
}
