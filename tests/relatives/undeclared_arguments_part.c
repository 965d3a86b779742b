void advance(k, out, by, n)
int k;
double *out;
double by;
int n;
{
    for (int i = 0; i < 40; i++)
        out[i % 3] = out[i % 3] * 0.5 + by + k + n;
}

void narrow(by, out, c)
float by;
double out[];
char c;
{
    for (int i = 0; i < 40; i++)
        out[i % 3] = out[i % 3] * 0.25 + by + c;
}
