/* Strings whose length depends on escapes, character sets and prefixes, in arrays without an extent; names that are not ASCII. */
#include <stdio.h>
#include <wchar.h>
#include <uchar.h>
#include <stddef.h>
#define NAME "\u00e9\U0001F600x"
#define TWICE NAME NAME
typedef struct { char n[12]; int k; } box;
static char g[] = "pr\u00e9fix" "\x41" "\101\e[0m";
static wchar_t w[] = L"\u00e9\U0001F600";
static char16_t u[] = u"\U0001F600a";
static char raw[] = "žluťoučký";
static char t[] = TWICE;
static box b[] = {{"\u00e9", 1}, {"\U0001F600z", 2}};
static char braces[] = {"\u010d\u011b"};
static char rows[][7] = {"\u010d", "ab"};
static const char esc = '\e';
int main(void)
{
    char a[] = "\u010d\u011b\u010d\u011bz";
    char c[] = u8"\u010d" "q";
    int čas = 0, $d = 1, \u017e = 2;
    enum { E = '\e' };
    char vals[E];
    for (int i = 0; i < (int)sizeof vals; i++) vals[i] = i;
    for (int i = 0; i < 40; i++) {
        for (unsigned k = 0; k + 1 < sizeof a; k++) a[k] += k;
        for (unsigned k = 0; k + 1 < sizeof g; k++) g[k] += i;
        for (unsigned k = 0; k < sizeof w / sizeof w[0]; k++) w[k] += i;
        for (unsigned k = 0; k < sizeof u / sizeof u[0]; k++) u[k] += i;
        for (unsigned k = 0; k < sizeof t; k++) t[k] ^= i;
        for (unsigned k = 0; k < sizeof raw; k++) raw[k] ^= i;
        for (unsigned k = 0; k < sizeof c; k++) c[k] ^= i;
        for (unsigned k = 0; k < sizeof braces; k++) braces[k] ^= i;
        for (unsigned k = 0; k < sizeof rows; k++) rows[0][k] ^= i;
        for (unsigned k = 0; k < sizeof vals; k++) vals[k] ^= i;
        b[i % 2].n[3] += i; b[1].k += i;
        čas += $d; $d += \u017e; ž++;
    }
    for (unsigned k = 0; k < sizeof a; k++) printf("%02x", (unsigned char)a[k]);
    for (unsigned k = 0; k < sizeof g; k++) printf("%02x", (unsigned char)g[k]);
    for (unsigned k = 0; k < sizeof w; k++) printf("%02x", ((unsigned char *)w)[k]);
    for (unsigned k = 0; k < sizeof u; k++) printf("%02x", ((unsigned char *)u)[k]);
    for (unsigned k = 0; k < sizeof t; k++) printf("%02x", (unsigned char)t[k]);
    for (unsigned k = 0; k < sizeof raw; k++) printf("%02x", (unsigned char)raw[k]);
    for (unsigned k = 0; k < sizeof c; k++) printf("%02x", (unsigned char)c[k]);
    for (unsigned k = 0; k < sizeof b; k++) printf("%02x", ((unsigned char *)b)[k]);
    for (unsigned k = 0; k < sizeof braces; k++) printf("%02x", (unsigned char)braces[k]);
    for (unsigned k = 0; k < sizeof rows; k++) printf("%02x", (unsigned char)rows[0][k]);
    for (unsigned k = 0; k < sizeof vals; k++) printf("%02x", (unsigned char)vals[k]);
    printf(" %d %d %d %zu\n", čas, $d, \u017e, sizeof vals + esc);
    return 0;
}
