/* What main() keeps is a pointer to a struct of which it does not know the members. */
#include "series.h"

#include <stdio.h>

int main(void)
{
    series one = series_new(40, "one");
    series_relax(one, 30);
    printf("%s %.17g\n", series_name(one), series_sum(one));
    return 0;
}
