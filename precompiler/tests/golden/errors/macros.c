/* s01: directives that macros touch. */
#define TWICE(x) x x
#define CHECKPOINT _Pragma("cccp checkpoint")
#define STEP n++
int main(void)
{
    int n = 0;
    #pragma cccp init
    TWICE(
    #pragma cccp checkpoint
        n++;)
    CHECKPOINT
    #pragma cccp register(STEP)
    return n;
}
