/* s02: misspelt directives and clauses. */
int main(void)
{
    int n = 0;
    #pragma cccp inti
    #pragma cccp
    #pragma cccp registre(n)
    #pragma cccp checkpoint evry(3)
    #pragma cccp checkpoint every(3) every(4)
    #pragma cccp checkpoint every(3
    #pragma cccp shutdown now
    #pragma cccp execute in restart
    #pragma cccp end
    #pragma cccp register()
    #pragma cccp register(*n)
    #pragma cccp register(n,
	#pragma cccp parallel for \
        schedule(static)
    return n;
}
