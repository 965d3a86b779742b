/*
 * cccp_libraries.h - plans of FFTW, generators of GSL and files that zlib reads, which are made again by themselves: a part of cccp.h,
 * which includes it.
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
 * So is a generator of random numbers of GSL (CCCP_KIND_HANDLE with the name `gsl_rng *`), with the state that it had, on the same kind of
 * machine; its kind is one of GSL's own.
 *
 * So is a file that zlib reads (CCCP_KIND_HANDLE with the name gzFile), at the place to which it was read. One that zlib writes, one without
 * places (a pipe, a terminal), and one that zlib has reported an error of stop the run at its first checkpoint.
 *
 * cccp-pp writes a line for each function that a file mentions and the library has to see: all of FFTW that make plans (but for those of
 * MPI), fftw_destroy_plan, fftw_cleanup, fftw_cleanup_threads, fftw_plan_with_nthreads; gsl_rng_alloc, gsl_rng_clone, gsl_rng_free;
 * gzopen, gzopen64, gzdopen, gzclose, gzclose_r, gzclose_w and gzungetc of zlib; H5Fcreate and H5Fopen of HDF5, nc_create, nc_open, nc__create, nc__open, nc_create_par and nc_open_par of
 * netCDF, whose files are treated as those of cccp_opens.h. By hand, in front of the library's header:
 *
 *     CCCP_NOTE(fftw_plan_dft_1d)
 *     #define fftw_plan_dft_1d cccp_fftw_plan_dft_1d
 *
 * and CCCP_NOTE alone for fftw_execute, fftw_export_wisdom_to_string and fftw_import_wisdom_from_string (the same with fftwf_ and fftwl_);
 * for gsl_rng_name, gsl_rng_size, gsl_rng_state and gsl_rng_types_setup; for gzdopen, gzeof, gzerror, gzread and
 * gztell64. CCCP_NOTE(__gmp_set_memory_functions) behind gmp.h gives the numbers
 * of GMP their memory with cccp_malloc, before main, so that the library knows their blocks.
 */
#ifndef CCCP_LIBRARIES_H
#define CCCP_LIBRARIES_H

#ifdef __GNUC__
#define CCCP_NOTE(name)                                                      \
    extern cccp_code cccp_real_##name __asm__(#name);                        \
    __attribute__((constructor, unused)) static void cccp_notes_##name(void) \
    {                                                                        \
        cccp_note_function(#name, cccp_real_##name);                         \
    }
#endif

#endif
