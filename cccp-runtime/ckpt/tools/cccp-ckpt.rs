//! The command line of the inspection tool.
fn main() -> std::process::ExitCode {
    cccp_ckpt::cli::main()
}
