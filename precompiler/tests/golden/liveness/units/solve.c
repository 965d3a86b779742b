int shared, written;
static int hidden = 3, steps_done;

static void once(void)
{
    /* must: shared live, hidden live, steps_done live, main:local live; should: written dead */
#pragma cccp checkpoint
    written = shared;
}

void advance(int steps)
{
    for (; steps_done < steps; steps_done++) {
        once();
        shared += hidden;
    }
}

int result(void)
{
    return shared + written;
}
