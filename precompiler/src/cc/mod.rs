//! `cccp-cc`: the C compiler with checkpoints, for build systems that call a compiler file by file.
//!
//! A compile step compiles as the compiler would, and keeps in the object what the analysis of the whole program needs:
//! the text, the command, and checksums of the headers. A link step collects that of all objects that the linker takes,
//! runs the precompiler over the program once, compiles again what it changed, and links with the library.
//!
//! ```text
//! called > command > response  which command this is
//! record > object > depends    what an object carries
//! compile > shared > taken > reach > program > again > archive > quiet > link > run
//! ```
//!
//! Where there is nothing for cccp to do, the compiler's own command runs, and nothing else.

mod again;
mod archive;
mod called;
mod command;
mod compile;
mod depends;
mod link;
mod object;
mod own;
mod program;
mod quiet;
mod reach;
mod record;
mod response;
mod run;
mod scratch;
mod shared;
mod taken;

pub use run::main;
