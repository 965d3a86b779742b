//! Gives the shared library its name, by which programs linked with it find it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Another MPI means other bindings, which cargo does not notice; give every MPI its own target directory.
    println!("cargo::rerun-if-env-changed=MPICC");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo::rustc-link-arg-cdylib=-Wl,-soname,libcccp_mpi.so.0");
    }
}
