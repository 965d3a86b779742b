/* Structs and unions that the comma operator gives: what stands before the last comma has its effects, and the last is the value. */
#include <stdio.h>

typedef union {
    int whole;
    unsigned char bytes[4];
} either;
struct pair {
    long first, second;
};

static either one = {5};
static struct pair two = {1, 2}, three;
static long counted, noted, chosen, returned;

static int taken(either value)
{
    return value.whole + value.bytes[1];
}

static struct pair given(long by)
{
    long *where = &returned;
    return *where += by, two;
}

#define NOTED(x) (noted = noted * 3 % 1009 + 1, (x))

int main(void)
{
    long *where = &counted;
    long sum = 0;
    for (int step = 0; step < 12; step++) {
        sum += taken(((*where ^= step + 3), one));
        three = ((step > 2 ? chosen++ : 0), NOTED(two));
        sum += (two.first += step, three).first + given(step).second;
        one.whole = (int)(sum % 100003);
        two.second = sum % 1013 + counted;
    }
    printf("%ld %ld %ld %ld %ld %ld\n", sum, counted, noted, chosen, returned, three.second);
    return 0;
}
