//! One word before the run: the tool `cccp-run`, which starts a program again until it is done, says how far it is, and
//! proves that it restarts correctly.
//!
//! Rooms, each using only those before it: `output` > `place` > `account` > `child` > `retry` > `slurm` > `status` > `report` >
//! `prove` > `cli`. What lies on disk is the runtime's business (`cccp::store`, `cccp::format`), and how
//! checkpoints are compared that of the inspection tool (`cccp_ckpt::compare`).

pub mod account;
pub mod child;
pub mod cli;
pub mod output;
pub mod place;
pub mod prove;
pub mod report;
pub mod retry;
pub mod slurm;
pub mod status;
