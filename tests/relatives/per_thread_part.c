/* The other file of per_thread.c. */
_Thread_local long table[3] = {1, 2, 3};
static __thread long mine;
long other(int i) { extern __thread long table[]; mine += i; return table[1] + mine; }
