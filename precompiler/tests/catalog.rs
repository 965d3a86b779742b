//! The catalogue is right as far as a machine can tell: every entry means something, the lists of names in
//! `tests/catalog` are covered, and the headers of this machine agree with what is said of their functions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cccp_precompiler::catalog::{
    Alternative, Catalogue, Effect, EffectKind, LibraryFunction, Root,
};
use cccp_precompiler::program::{SymbolKind, TypeId, TypeKind, Unit, load_unit};
use cccp_precompiler::source::{Preprocessor, SourceFile};
use cccp_precompiler::syntax::with_stack;

/// The lists of names: `NAME.names`, one name per line, `#` begins a remark. A name after `-` is left out on purpose.
fn lists() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("tests/catalog").expect("the lists");
    let mut lists: Vec<PathBuf> = entries.map(|entry| entry.expect("a list").path()).collect();
    lists.retain(|path| path.extension().is_some_and(|one| one == "names"));
    lists.sort();
    lists
}

fn words(path: &Path) -> (BTreeSet<String>, BTreeSet<String>) {
    let text = std::fs::read_to_string(path).expect("a list");
    let (mut wanted, mut left_out) = (BTreeSet::new(), BTreeSet::new());
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or("").trim();
        match line.strip_prefix('-') {
            Some(name) => left_out.insert(name.trim().to_string()),
            None if line.is_empty() => continue,
            None => wanted.insert(line.to_string()),
        };
    }
    (wanted, left_out)
}

#[test]
fn every_entry_means_something() {
    let catalogue = Catalogue::builtin();
    let faults = catalogue.faults();
    let shown: Vec<String> = faults.iter().take(20).map(ToString::to_string).collect();
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        shown.join("\n\n")
    );
}

#[test]
fn every_name_of_the_lists_is_in_the_catalogue() {
    let catalogue = Catalogue::builtin();
    let mut missing = Vec::new();
    for path in lists() {
        let list = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let (wanted, left_out) = words(&path);
        let unknown = |name: &&String| catalogue.find(name).is_none();
        let gone: Vec<&String> = wanted.iter().filter(unknown).collect();
        println!("{list}: {} of {}", wanted.len() - gone.len(), wanted.len());
        missing.extend(gone.iter().map(|name| format!("{list}: {name}")));
        let back = left_out
            .iter()
            .filter(|name| catalogue.find(name).is_some());
        missing.extend(
            back.map(|name| format!("{list}: {name} is there, although the list leaves it out")),
        );
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Headers, whose compiler knows where they are, and whether a machine without them is fine.
const HEADERS: &[(&str, &str, bool)] = &[
    (
        "assert.h ctype.h complex.h errno.h fenv.h inttypes.h locale.h math.h setjmp.h signal.h stdarg.h stdio.h stdlib.h \
      string.h threads.h time.h uchar.h wchar.h wctype.h",
        "cc",
        false,
    ),
    (
        "aio.h arpa/inet.h dirent.h dlfcn.h fcntl.h fmtmsg.h fnmatch.h ftw.h glob.h grp.h iconv.h langinfo.h libgen.h \
      monetary.h mqueue.h net/if.h netdb.h nl_types.h poll.h pthread.h pwd.h regex.h sched.h search.h semaphore.h \
      spawn.h strings.h sys/ipc.h sys/mman.h sys/msg.h sys/resource.h sys/select.h sys/sem.h sys/shm.h sys/socket.h \
      sys/stat.h sys/statvfs.h sys/time.h sys/times.h sys/uio.h sys/utsname.h sys/wait.h syslog.h termios.h ulimit.h \
      unistd.h utime.h utmpx.h wordexp.h getopt.h malloc.h error.h err.h alloca.h execinfo.h",
        "cc",
        false,
    ),
    (
        "argz.h arpa/inet.h err.h error.h fts.h gnu/libc-version.h ifaddrs.h libintl.h link.h math.h mcheck.h mntent.h netdb.h \
      obstack.h poll.h pthread.h semaphore.h signal.h stdio.h stdio_ext.h stdlib.h string.h syslog.h termios.h time.h unistd.h \
      wchar.h sys/auxv.h sys/epoll.h sys/eventfd.h sys/inotify.h sys/personality.h sys/prctl.h sys/random.h sys/sendfile.h \
      sys/fsuid.h sys/resource.h sys/signalfd.h sys/stat.h sys/statfs.h sys/sysinfo.h sys/sysmacros.h sys/timerfd.h sys/timex.h \
      sys/uio.h sys/xattr.h",
        "cc",
        true,
    ),
    ("omp.h", "cc", true),
    ("mpi.h", "mpicc", true),
    ("mpi.h", "mpicc.mpich", true),
    ("cblas.h", "cc", true),
    ("fftw3.h", "cc", true),
    ("fftw3-mpi.h", "mpicc", true),
    ("zlib.h", "cc", true),
    ("stdio.h stdarg.h gmp.h", "cc", true),
    ("hdf5.h hdf5_hl.h", "cc -I/usr/include/hdf5/serial", true),
    ("netcdf.h netcdf_mem.h", "cc", true),
    ("stdio.h png.h", "cc", true),
    ("stdio.h jpeglib.h", "cc", true),
    (
        "openssl/evp.h openssl/hmac.h openssl/md5.h openssl/sha.h",
        "cc",
        true,
    ),
    (
        "suitesparse/cholmod.h suitesparse/SuiteSparseQR_C.h suitesparse/umfpack.h suitesparse/klu.h suitesparse/cs.h \
      suitesparse/camd.h suitesparse/colamd.h suitesparse/ccolamd.h suitesparse/ldl.h suitesparse/btf.h",
        "cc",
        true,
    ),
    (
        "gsl/gsl_blas.h gsl/gsl_blas_types.h gsl/gsl_block.h gsl/gsl_bspline.h gsl/gsl_cdf.h gsl/gsl_chebyshev.h \
      gsl/gsl_combination.h gsl/gsl_complex.h gsl/gsl_complex_math.h gsl/gsl_const.h gsl/gsl_const_cgs.h \
      gsl/gsl_const_cgsm.h gsl/gsl_const_mks.h gsl/gsl_const_mksa.h gsl/gsl_const_num.h gsl/gsl_deriv.h \
      gsl/gsl_dft_complex.h gsl/gsl_dft_complex_float.h gsl/gsl_dht.h gsl/gsl_eigen.h gsl/gsl_errno.h \
      gsl/gsl_fft.h gsl/gsl_fft_complex.h gsl/gsl_fft_complex_float.h gsl/gsl_fft_halfcomplex.h \
      gsl/gsl_fft_halfcomplex_float.h gsl/gsl_fft_real.h gsl/gsl_fft_real_float.h gsl/gsl_filter.h \
      gsl/gsl_fit.h gsl/gsl_heapsort.h gsl/gsl_histogram.h gsl/gsl_histogram2d.h gsl/gsl_ieee_utils.h \
      gsl/gsl_integration.h gsl/gsl_interp.h gsl/gsl_interp2d.h gsl/gsl_linalg.h gsl/gsl_machine.h \
      gsl/gsl_math.h gsl/gsl_matrix.h gsl/gsl_message.h gsl/gsl_min.h gsl/gsl_minmax.h gsl/gsl_mode.h \
      gsl/gsl_monte.h gsl/gsl_monte_miser.h gsl/gsl_monte_plain.h gsl/gsl_monte_vegas.h gsl/gsl_movstat.h \
      gsl/gsl_multifit.h gsl/gsl_multifit_nlin.h gsl/gsl_multifit_nlinear.h gsl/gsl_multilarge.h \
      gsl/gsl_multilarge_nlinear.h gsl/gsl_multimin.h gsl/gsl_multiroots.h gsl/gsl_multiset.h gsl/gsl_nan.h \
      gsl/gsl_ntuple.h gsl/gsl_odeiv.h gsl/gsl_odeiv2.h gsl/gsl_permutation.h gsl/gsl_permute.h \
      gsl/gsl_permute_matrix.h gsl/gsl_permute_vector.h gsl/gsl_poly.h gsl/gsl_precision.h gsl/gsl_qrng.h \
      gsl/gsl_randist.h gsl/gsl_rng.h gsl/gsl_roots.h gsl/gsl_rstat.h gsl/gsl_sf.h gsl/gsl_sf_airy.h \
      gsl/gsl_sf_bessel.h gsl/gsl_sf_clausen.h gsl/gsl_sf_coulomb.h gsl/gsl_sf_coupling.h gsl/gsl_sf_dawson.h \
      gsl/gsl_sf_debye.h gsl/gsl_sf_dilog.h gsl/gsl_sf_elementary.h gsl/gsl_sf_ellint.h gsl/gsl_sf_elljac.h \
      gsl/gsl_sf_erf.h gsl/gsl_sf_exp.h gsl/gsl_sf_expint.h gsl/gsl_sf_fermi_dirac.h gsl/gsl_sf_gamma.h \
      gsl/gsl_sf_gegenbauer.h gsl/gsl_sf_hermite.h gsl/gsl_sf_hyperg.h gsl/gsl_sf_laguerre.h \
      gsl/gsl_sf_lambert.h gsl/gsl_sf_legendre.h gsl/gsl_sf_log.h gsl/gsl_sf_mathieu.h gsl/gsl_sf_psi.h \
      gsl/gsl_sf_result.h gsl/gsl_sf_sincos_pi.h gsl/gsl_sf_synchrotron.h gsl/gsl_sf_transport.h \
      gsl/gsl_sf_trig.h gsl/gsl_sf_zeta.h gsl/gsl_siman.h gsl/gsl_sort.h gsl/gsl_sort_vector.h gsl/gsl_spblas.h \
      gsl/gsl_specfunc.h gsl/gsl_splinalg.h gsl/gsl_spline.h gsl/gsl_spline2d.h gsl/gsl_spmatrix.h \
      gsl/gsl_statistics.h gsl/gsl_sum.h gsl/gsl_sys.h gsl/gsl_types.h gsl/gsl_vector.h \
      gsl/gsl_vector_complex.h gsl/gsl_version.h gsl/gsl_wavelet.h gsl/gsl_wavelet2d.h",
        "cc",
        true,
    ),
];

fn declared(headers: &str, compiler: &str, names: &BTreeSet<&str>) -> Option<Unit> {
    let includes: Vec<String> = headers
        .split_whitespace()
        .map(|header| format!("#include <{header}>\n"))
        .collect();
    // Prototypes that nobody mentions are not read.
    let mentioned: Vec<String> = names.iter().map(|name| format!("    {name};\n")).collect();
    let text = format!(
        "#define _GNU_SOURCE\n{}void mentioned(void)\n{{\n{}}}\n",
        includes.concat(),
        mentioned.concat()
    );
    let mut words = compiler.split(' ').map(str::to_string);
    let preprocessor = Preprocessor {
        compiler: words.next()?,
        arguments: words.collect(),
        ..Preprocessor::default()
    };
    let file = SourceFile::from_bytes("headers.c", text.into_bytes(), &preprocessor).ok()?;
    let mut diagnostics = Vec::new();
    let unit = with_stack(|| load_unit(file, &mut diagnostics));
    diagnostics.is_empty().then_some(unit)
}

/// Functions that store although a `const` seems to forbid it.
const STORES_THROUGH_CONST: [&str; 6] = [
    // One header of BLAS has a `const` too many.
    "cblas_csrot",
    "cblas_zdrot",
    // The header shows the GNU function of this name; the one of POSIX may change the path.
    "basename",
    // `char *const argv[]`: the words are sorted in spite of it.
    "getopt",
    "getopt_long",
    "getopt_long_only",
];

fn points_to_const(unit: &Unit, ty: TypeId) -> bool {
    match &unit.ty(ty).kind {
        TypeKind::Pointer(target) => unit.ty(*target).qualifiers.is_const,
        _ => false,
    }
}

/// What the prototype of a function says against its entry.
fn contradictions(unit: &Unit, function: &LibraryFunction, ty: TypeId) -> Vec<String> {
    let TypeKind::Function {
        result,
        parameters,
        variadic,
        prototype,
    } = unit.kind(ty)
    else {
        return Vec::new();
    };
    if !prototype {
        return Vec::new();
    }
    let mut found = Vec::new();
    if parameters.len() != function.parameters.len() || *variadic != function.variadic {
        return vec![format!(
            "{} parameters{}, the header has {}{}",
            function.parameters.len(),
            if function.variadic { " and ..." } else { "" },
            parameters.len(),
            if *variadic { " and ..." } else { "" },
        )];
    }
    // Types that hide a pointer or an array cannot be looked into.
    let may_point = |ty: TypeId| {
        matches!(
            unit.kind(ty),
            TypeKind::Pointer(_)
                | TypeKind::Array { .. }
                | TypeKind::Unknown
                | TypeKind::Builtin(_)
        ) || unit.ty(ty).typedef_name.is_some()
    };
    for Effect { kind, place } in &function.effects {
        let Root::Parameter(number) = place.root else {
            continue;
        };
        let name = &function.parameters[number];
        if !may_point(parameters[number])
            && !matches!(kind, EffectKind::Destroys | EffectKind::Creates)
        {
            found.push(format!("{kind:?} `{name}`, which is no pointer"));
        }
        let stores = matches!(kind, EffectKind::Writes | EffectKind::Fills);
        if stores
            && place.behind == 0
            && place.members.is_empty()
            && points_to_const(unit, parameters[number])
            && !STORES_THROUGH_CONST.contains(&function.name.as_str())
        {
            found.push(format!("{kind:?} `{name}`, which leads to something const"));
        }
    }
    let back = |one: &Alternative| !matches!(one, Alternative::Null);
    if function.returns.iter().any(back) && !may_point(*result) {
        found.push("returns a pointer, but the header says otherwise".to_string());
    }
    found
}

#[test]
fn the_headers_of_this_machine_agree() {
    let catalogue = Catalogue::builtin();
    let names: BTreeSet<&str> = catalogue.names().collect();
    let mut wrong = Vec::new();
    for (headers, compiler, optional) in HEADERS {
        let Some(unit) = declared(headers, compiler, &names) else {
            assert!(optional, "{headers} cannot be read");
            println!("skipped: {headers}");
            continue;
        };
        let mut compared = 0;
        for symbol in &unit.symbols {
            if symbol.kind != SymbolKind::Function {
                continue;
            }
            if let Some(function) = catalogue.find(&symbol.name) {
                compared += 1;
                let against = contradictions(&unit, &function, symbol.ty);
                wrong.extend(against.iter().map(|one| format!("{}: {one}", symbol.name)));
            }
        }
        println!(
            "{}: {compared} compared",
            headers.split(' ').next().unwrap_or("")
        );
    }
    wrong.sort();
    wrong.dedup();
    assert!(
        wrong.is_empty(),
        "{} contradictions:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
