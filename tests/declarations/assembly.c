/* Inline assembly: effects of operands, memory behind pointers, clobbers, labels, symbolic names, in branches and expressions. */
#include <stdio.h>
static int count, dummy;
static int *bump(void) { count++; return &dummy; }
static long counter, other[4];
static struct { int *p; long n; } st;
asm(".globl cccp_test_sym\ncccp_test_sym = 0");
static inline long add(long *v, long n)
{
    asm volatile("lock; xaddq %0, %1" : "+r"(n), "+m"(*v) : : "memory", "cc");
    return n;
}
static void through(long *v) { asm volatile("addq $3, (%0)" : : "r"(v) : "memory"); }
static unsigned long ticks(void) { unsigned lo, hi; asm volatile("xorl %0, %0; xorl %1, %1" : "=a"(lo), "=d"(hi)); return lo | (unsigned long)hi << 32; }
int main(void)
{
    int z[3] = {0}, *q = z; long sum = 0; register long r asm("r12") = 5;
    st.p = &z[1];
    for (int i = 0; i < 100; i++)
        asm("" : "+r"(*bump()));
    for (int i = 0; i < 100; i++) {
        asm volatile("" ::: "memory");
        sum += add(&counter, i) + ticks();
        through(&other[i % 4]);
        asm("incl %0" : "+m"(*st.p));
        asm goto("testl %0, %0; jz %l[skip]" : : "r"(i % 3) : "cc" : skip);
        z[2] += i;
skip:   ;
        asm("movl %1, %0; addl %2, %0" : [out] "=&r"(z[0]) : [a] "r"(z[2]), "ri"(i));
        asm volatile("nop");
        r += sum;
        if (i & 1) asm("" : "+r"(r)); else asm("negq %0" : "+r"(sum));
        q = &z[i % 3];
        asm("" : "+r"(q));
        *q += 1;
        sum += ({ long k; asm("leaq 1(%1), %0" : "=r"(k) : "r"(sum)); k; });
    }
    printf("%d %ld %ld %d %d %d %ld %ld\n", count, counter, other[2], z[0], z[1], z[2], sum, (long)r);
    return 0;
}
