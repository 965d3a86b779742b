/* refused: `here.words` is live at this checkpoint | put what makes it */
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct translation { iconv_t words; int letters; };

int main(void)
{
#pragma cccp init
    struct translation here = { 0 };
    int i;
#ifdef CURED
#pragma cccp execute on restart
    here.words = iconv_open("UTF-16LE", "UTF-8");
#pragma cccp end execute
#else
    here.words = iconv_open("UTF-16LE", "UTF-8");
#endif
#pragma cccp register(i, here)
    for (i = 0; i < 12; i++) {
#pragma cccp checkpoint
        char text[] = "directory", wide[64], *from = text, *to = wide;
        size_t left = strlen(text), room = sizeof wide;
        iconv(here.words, &from, &left, &to, &room);
        here.letters += (int)(to - wide) + i;
    }
    printf("%d\n", here.letters);
    iconv_close(here.words);
#pragma cccp shutdown
    return 0;
}
