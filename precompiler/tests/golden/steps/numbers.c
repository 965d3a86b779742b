/* What is known when the program is read: operands are brought to one type first. */
int a, b, c;
enum { BIG = 0x100000000 };
enum { TOP = 0x80000000 };

void numbers(void)
{
    a = -1 < sizeof(int) ? b : c;     /* c */
    a = -1 < (long)sizeof(int) ? b : c; /* b */
    a = -1 / 2u ? b : c;              /* b */
    a = (1 ? -1 : 0u) > 5 ? b : c;    /* b */
    a = (char)300 == 44 ? b : c;      /* b */
    a = (_Bool)4 == 1 ? b : c;        /* b */
    a = (TOP + TOP) ? b : c;          /* c */
    a = BIG / 4 > 0 ? b : c;          /* b */
    a = 2147483647 + 1 > 0 ? b : c;   /* nobody knows */
    a = (1 && 0) || sizeof(long) ? b : c; /* b */
}
