/* Every kind of statement. */
static int hidden;
#pragma omp threadprivate(hidden)
int work(int);
int all(int n)
{
    int i, total = 0;
    #pragma omp parallel for reduction(+:total)
    for (i = 0; i < n; i++)
        total += i;
    #pragma omp barrier
    for (int j = 0, k = 1; ; j++) { if (j > k) break; else continue; }
    do total--; while (total > 0 && work(total));
    switch (n) {
    case 1 ... 3:
    case 4: total = 1; break;
    default:
        #pragma cccp client(work)
        total = 2;
    }
again: first:
    if (n-- > 0) goto again;
    __asm__ volatile ("" : "+r"(total) : : "memory");
    total = ({ int t = work(1); t + 1; }) ?: 3;
    { static void *const places[] = {&&again, &&first}; if (n < -5) goto *places[0]; }
    ;
    return total, work(total), (int){4};
}
