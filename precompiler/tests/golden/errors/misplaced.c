/* s01: a directive stands where a statement may stand, and nowhere else. */
#pragma cccp init
int table[] = {
    1,
#pragma cccp checkpoint
    2
};
int f(int x)
#pragma cccp register(x)
{
    if (x)
#pragma cccp checkpoint
        x++;
    else
#pragma cccp checkpoint
        x--;
    for (int i = 0; i < x; i++)
        #pragma cccp checkpoint
        ;
    x = 1 +
        #pragma cccp checkpoint
        2;
    if (x)
    again:
        #pragma cccp checkpoint
        x--;
    x = ({ int y = 1;
        #pragma cccp checkpoint
        y; });
    return x;
}
