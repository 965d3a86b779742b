//! C in, C out: turns `#pragma cccp` directives into jump tables and calls of libcccp.

pub mod dataflow;
pub mod diagnostic;
pub mod directive;
pub mod program;
pub mod source;
pub mod syntax;
