//! C in, C out: turns `#pragma cccp` directives into jump tables and calls of libcccp.

pub mod analysis;
pub mod auto;
pub mod catalog;
pub mod cc;
pub mod cli;
pub mod dataflow;
pub mod diagnostic;
pub mod directive;
pub mod explain;
pub mod memory;
pub mod plan;
pub mod program;
pub mod rewrite;
pub mod syntax;

pub use cccp_base::{solver, source};
