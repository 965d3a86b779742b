/* s02: execute on restart and end execute. */
int main(void)
{
    int n = 0;
    #pragma cccp init
    #pragma cccp end execute
    if (n) {
        #pragma cccp execute on restart
        n++;
    }
    #pragma cccp end execute
    #pragma cccp execute on restart
    #pragma cccp execute on restart
    n++;
    #pragma cccp end execute
    #pragma cccp execute on restart
    return n;
}
