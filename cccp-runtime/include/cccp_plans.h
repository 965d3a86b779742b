/*
 * cccp_plans.h - plans of FFTW that are made again by themselves: a part of cccp.h, which includes it.
 *
 * A plan in a register (CCCP_KIND_HANDLE with the name fftw_plan, fftwf_plan or fftwl_plan), or in memory that an item brings, is made
 * again with the arguments of its call, when a restart has put everything else into its place.
 *   - Its arrays lie in memory that an item brings, unless only calls that name arrays execute plans (fftw_execute_dft).
 *   - What FFTW has learnt by measuring is saved, so a measured plan is the same again. Where that does not serve, on another kind of
 *     machine, the plan is estimated, with a warning.
 *   - It has as many threads as it had. That FFTW has threads at all is set by the program: in front of `init`, or in a block that every
 *     restart executes.
 *   - A plan that another function has made is not saved. What such a block makes is made by the block again.
 *
 * cccp-pp writes a line for each function of FFTW that a file mentions and the library has to see: all that make plans (but for those of
 * MPI), fftw_destroy_plan, fftw_cleanup, fftw_cleanup_threads and fftw_plan_with_nthreads. By hand, in front of fftw3.h:
 *
 *     CCCP_PLAN(fftw_plan_dft_1d)
 *     #define fftw_plan_dft_1d cccp_fftw_plan_dft_1d
 *
 * and CCCP_PLAN alone for fftw_execute, fftw_export_wisdom_to_string and fftw_import_wisdom_from_string. The same with fftwf_ and fftwl_.
 */
#ifndef CCCP_PLANS_H
#define CCCP_PLANS_H

#ifdef __GNUC__
#define CCCP_PLAN(name)                                                                                 \
    extern void cccp_real_##name(void) __asm__(#name);                                                  \
    __attribute__((constructor, unused)) static void cccp_notes_##name(void)                            \
    {                                                                                                   \
        cccp_note_plan(#name, cccp_real_##name);                                                        \
    }
#endif

#endif
