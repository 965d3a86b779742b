/* The other file of constant.c. */
double cooled(double warm)
{
    return warm - warm * 0.0625;
}
