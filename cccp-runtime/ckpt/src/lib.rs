//! Looks into the checkpoints that libcccp writes: the tool `cccp-ckpt`.
//!
//! Rooms, each using only those before it: `outcome` > `output` > `select` > `check` > `render` > `elements` >
//! `measure` > `compare` > `forms` > `commands` > `cli`. Bytes are the runtime's business (`cccp::format`, `cccp::store`): nothing
//! here knows the format a second time.

pub mod check;
pub mod cli;
pub mod commands;
pub mod compare;
pub mod elements;
pub mod forms;
pub mod measure;
pub mod outcome;
pub mod output;
pub mod render;
pub mod select;
