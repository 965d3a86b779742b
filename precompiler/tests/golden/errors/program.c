/* s02: what only the whole program shows. */
static void before(void)
{
    #pragma cccp checkpoint
}
static void after(void)
{
    #pragma cccp checkpoint
}
static void start(void)
{
    #pragma cccp init
}
int main(void)
{
    int n = 0, m = 0;
    before();
    start();
    after();
    #pragma cccp register(n)
    #pragma cccp unregister(n, mm)
    return n + m;
}
