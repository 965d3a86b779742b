//! The command line of the tool that starts programs.
fn main() -> std::process::ExitCode {
    cccp_run::cli::main()
}
