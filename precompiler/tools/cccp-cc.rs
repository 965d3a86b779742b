//! The compiler with checkpoints.

use cccp_precompiler::cli::memory::Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

fn main() -> std::process::ExitCode {
    cccp_precompiler::cc::main()
}
