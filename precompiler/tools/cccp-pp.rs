//! The precompiler's command line.

use cccp_precompiler::cli::exhausted::exhausted;
use cccp_precompiler::memory::Memory;

#[global_allocator]
static MEMORY: Memory = Memory { exhausted };

fn main() -> std::process::ExitCode {
    cccp_precompiler::cli::main()
}
