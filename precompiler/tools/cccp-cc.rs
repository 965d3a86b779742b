//! The compiler with checkpoints.
fn main() -> std::process::ExitCode {
    cccp_precompiler::cc::main()
}
