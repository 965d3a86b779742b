/* s03: extensions that are blanked or overwritten. */
struct __attribute__((packed)) S { int a; char b; };
static __thread int x;
__int128 wide; __float128 q = 2.0q;
int f(int n) __asm__("g") __attribute__((noinline));
int f(int n)
{
    __label__ out;
    __auto_type y = __extension__ n ?: 3;
    static void *t[] = {&&out};
    __asm__ volatile ("nop" ::: "memory");
    if (n) goto *t[0];
    switch (n) { case 1: y++; __attribute__((fallthrough)); default: y = __alignof__(y); }
    y += ((struct S){}).a + __builtin_types_compatible_p(int, long);
    _Static_assert(1, "m");
out:
    return "\e[1m"[0] + y;
}
