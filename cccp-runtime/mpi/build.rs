//! Gives the shared library its name, by which programs linked with it find it, and compiles the table of MPI's constants.

fn main() {
    println!("cargo::rerun-if-changed=src/handles/predefined.c");
    let mut table = cc::Build::new();
    match build_probe_mpi::probe() {
        Ok(found) => {
            match found.mpicc {
                Some(compiler) => table.compiler(compiler),
                None => table.includes(found.include_paths),
            };
        }
        Err(reasons) => panic!("no MPI was found: {reasons:?}"),
    }
    table
        .file("src/handles/predefined.c")
        .compile("predefined_of_mpi");
    println!("cargo::rerun-if-changed=build.rs");
    // Another MPI means other bindings, which cargo does not notice; give every MPI its own target directory.
    println!("cargo::rerun-if-env-changed=MPICC");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg-cdylib=-Wl,-soname,libcccp_mpi.so.0");
    }
}
