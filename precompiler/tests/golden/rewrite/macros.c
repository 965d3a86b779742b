/* Text that macros make, lines that must not move, and things that look like directives. */
#define STEP(x) step(x)
#define LOOP(i, n) for (int i = 0; i < (n); i++)
#define RETURN_IF_BAD(e) if ((e) != 0) return 1
static int step(int x)
{
#pragma cccp checkpoint /* one */ name(first)
    return x - 1;
}
int run(int n) { int a = 1; /* { */
    LOOP(k, n) {
#pragma cccp register(k, \
                      a)
        a += STEP(k) +
             /* in the middle */
             step(a); // at the end
    }
    RETURN_IF_BAD(STEP(1));
    if (STEP(
            a) > 3
        && n)
        return 2;
    const char *text = "#pragma cccp checkpoint";
    return text[0] == '#' ? STEP(a) : 0;
}
int main(void) {
#pragma cccp init
    return run(3); }
