#ifndef REPEAT_H
#define REPEAT_H
static void step(int now);

static inline void repeat(int times)
{
    int now;
#pragma cccp register(now, times)
    for (now = 0; now < times; now++)
        step(now);
}
#endif
