/* What a library stores where the program has numbers is no pointer; where it has pointers it is memory of the library's. */
#include <stddef.h>

typedef long hid_t;
int H5Dread(hid_t set, hid_t type, hid_t memory, hid_t file, hid_t properties, void *buffer);

static long numbers[4];
static double reals[4];
static char *words[4];

int main(void)
{
    H5Dread(1, 2, 0, 0, 0, numbers); /* should: numbers[] ↛ heap@13[] */
    H5Dread(1, 3, 0, 0, 0, reals);
    H5Dread(1, 4, 0, 0, 0, words); /* must: words[] → heap@15[] */
    return words[0] != NULL && numbers[0] > 0 && reals[0] > 0;
}
