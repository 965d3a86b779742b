/* Behind each of these checkpoints comes at once what others would see, or what the checkpoint has no copy of: the thread waits. */
#include <omp.h>
#include <stdio.h>

struct pair {
    int first, second;
};

static int shared_by_all, of_file[8];
static int own_copy;
#pragma omp threadprivate(own_copy)

static int another(int i)
{
    return ++of_file[i % 8];
}

static int look(int step, int *place)
{
    int one = step, array[4] = {0}, i;
    static int lasting;
    struct pair both = {0, 0};
    volatile int seen = 0;
    int *taken = &one, other = 0, given[2], *to;
#pragma cccp register(step, one, array, both, seen, lasting, other, place[1], i)
#pragma cccp checkpoint
    shared_by_all = step;
#pragma cccp checkpoint
    of_file[1]++;
#pragma cccp checkpoint
    own_copy = step;
#pragma cccp checkpoint
    *place = step;
#pragma cccp checkpoint
    place[0] += 2;
#pragma cccp checkpoint
    array[1] = step;
#pragma cccp checkpoint
    given[1] = step;
    to = &given[1];
    other += *to;
#pragma cccp checkpoint
    lasting++;
#pragma cccp checkpoint
    both.first = step;
#pragma cccp checkpoint
    seen = step;
#pragma cccp checkpoint
    one = step + *taken;
#pragma cccp checkpoint
    other = another(step);
#pragma cccp checkpoint
    other = (shared_by_all = 3) + 1;
#pragma cccp checkpoint
    printf("%d\n", step);
#pragma cccp checkpoint
    for (i = 0; i < 4; i++)
        array[i] = i;
#pragma cccp checkpoint
#pragma omp atomic
    shared_by_all++;
#pragma cccp checkpoint
#pragma omp barrier
    if (step > 3)
        goto end;
    for (i = 0; i < 2; i++) {
        if (i == 1) {
#pragma cccp checkpoint
            continue;
        }
#pragma cccp checkpoint
        if (step == 2)
            break;
    }
#pragma cccp checkpoint
    switch (step) {
    case 1:
        other = 2;
    }
#pragma cccp checkpoint
end:
    other++;
#pragma cccp checkpoint
    return other + array[1] + both.first + seen + lasting;
}

int main(void)
{
    int sum = 0, place = 0;
#pragma cccp init
#pragma cccp register(sum, place, shared_by_all, of_file)
#pragma omp parallel reduction(+ : sum)
    {
#pragma cccp register(sum)
        sum += look(omp_get_thread_num(), &place);
    }
    printf("%d\n", sum);
#pragma cccp shutdown
    return 0;
}
