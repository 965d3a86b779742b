/* s01: every clause of init and of checkpoint. */
int step(int n, const char *name)
{
    #pragma cccp checkpoint every(2 * n) if(name)
    #pragma cccp checkpoint ranks(1-4, 8, even) messages(counted) name(inside)
    #pragma omp parallel
    {
        #pragma cccp checkpoint barrier
        #pragma cccp checkpoint lock
        #pragma omp barrier
    }
    return n;
}
int main(int argc, char **argv)
{
    #pragma cccp init heap(fixed) comm(argc > 1 ? 1 : 2)
    return step(argc, argv[0]);
}
