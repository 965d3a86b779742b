/* Preloaded into ranks: OpenMPI's wait by sched_yield in a loop, and several jobs of more ranks than processors run side by side here.
 * Who has waited for some turns sleeps; 40 % of the processor time of tests/when.rs was spent in waiting.
 *
 * MPI_Finalize of OpenMPI 4.1.4 unloads components while a thread of its own may still call them: a plain program with three ranks died there
 * once in some hundred runs. Nothing is unloaded. */
#include <dlfcn.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int sched_yield(void)
{
    static __thread unsigned turns;
    const struct timespec moment = {0, 20000};
    if (++turns % 64 < 32)
        return (int)syscall(SYS_sched_yield);
    return nanosleep(&moment, 0);
}

int dlclose(void *library)
{
    (void)library;
    return 0;
}
