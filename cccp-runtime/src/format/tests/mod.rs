//! The format as a whole: files, values, the document, and files of old versions.

mod document;
pub(crate) mod everything;
mod example;
mod files;
mod foreign;
mod golden;
mod random;
mod recoding;
mod refusals;
mod remains;
pub(crate) mod samples;
pub(crate) mod schema;
mod streams;
mod values;
