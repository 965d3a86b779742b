/* What main.c and state.c share. */
extern double total;
extern int rounds;
void setup(int n);
double advance(int n);
