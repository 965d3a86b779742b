//! Blocks of allocated memory that an item brings with it: `p[]` the block that a pointer leads to, `follow(x)` all that
//! can be reached.
//!
//! In: the items, the table of blocks, the types of pointers. Out: for a checkpoint the blocks that are reached, gathered
//! into *pools*, one per item and type; on restart their places, and their contents with pointers to where things are
//! now. A block has the type of the pointer that leads to it. Where two pointers disagree, the type that contains the
//! other one counts; when neither does, or the size is not one that the type can have, the checkpoint is refused: a
//! pointer that is taken for a number would be a wrong restart.
//!
//! Example: `register(follow(head))` with `struct node { int key; struct node *next; } *head` makes one pool of
//! `struct node`, whose elements are the nodes in the order in which they were found.
//!
//! Not here: which blocks there are (`memory::blocks`), bytes (`format`), when (`session`).

mod addresses;
mod back;
mod block_type;
mod kinds;
mod scan;
#[cfg(test)]
mod tests;

pub use back::{Heap, Image, lengths, program_type};
pub use block_type::byte_type;
pub use kinds::{Kinds, comes_back};
pub use scan::{Object, Pool, Reached, Scan};
