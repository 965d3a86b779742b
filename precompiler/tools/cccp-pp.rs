//! The precompiler's command line.
fn main() -> std::process::ExitCode {
    cccp_precompiler::cli::main()
}
