//! Gives the shared library its name, by which programs linked with it find it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        // Not the variant for shared libraries alone: cargo would apply it to libcccp_mpi as well.
        println!("cargo::rustc-link-arg=-Wl,-soname,libcccp.so.0");
    }
}
