/* A function of a file that is not given calls the function with the checkpoint.
   refused: precompile the file that defines `for_each` together with this one */
void for_each(int count, void (*visit)(int, void *), void *data);

struct sum {
    long total;
};

static void add(int one, void *data)
{
    struct sum *sum = data;
    sum->total += one;
#pragma cccp checkpoint
}

int main(void)
{
    static struct sum sum;
#pragma cccp init
#pragma cccp register(sum)
    for_each(100, add, &sum);
#pragma cccp shutdown
    return sum.total != 4950;
}
