/* Assembly in macros, helpers, branches and heads of loops, with operands that call. x86-64 */
#include <stdio.h>
#define FENCE asm volatile("" ::: "memory")
#define BUMP(x) __asm__ ("addl $1, %0" : "+r"(x))
typedef struct { int a, *p; } s;
static s st;
static int hidden;
static int *next(void) { hidden++; return &st.a; }
static inline void tick(void) { asm volatile("addl %1, %0" : "+m"(*next()) : "r"(hidden) : "cc"); }
int main(void)
{
    int i = 0, x = 0;
    asm("" : "+r"(x)); 
    while (i < 30) {
        asm volatile("nop")
        ;
        FENCE;
        BUMP(x); tick();
        if (x & 1) BUMP(i); else BUMP(i);
        for (int k = 0; k < 3; k++) asm("" : : "r"(k));
        do asm volatile("" : "+r"(x) : : "memory"); while (0);
        asm volatile("" : : "m"(st), "r"(next()));
        switch (i % 3) { case 0: asm("nop"); break; case 1: BUMP(x); default: ; }
        { __label__ out; asm goto("" : : : : out); x++; out: ; }
    }
    printf("%d %d %d %d\n", i, x, st.a, hidden);
    return 0;
}
