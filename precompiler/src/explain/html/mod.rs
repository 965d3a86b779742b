//! The report as one page for a browser: the source beside the decisions. It needs no network and no other file, and
//! without its script it is a page of links. See [`page`].

mod escape;
mod highlight;
mod page;
mod panel;
mod source;

pub use page::html;
