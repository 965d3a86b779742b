//! What is set up on first use, when the first use comes before `init` in every run.
//!
//! In: steps, what pointers point to, effects. Out: [`FirstUse`](super::effects::FirstUse): the blocks behind such guards,
//! and the memory that they allocate once.
//!
//! ```text
//! void force(struct pot *p) { if (p->buffer == NULL) { p->buffer = malloc(n); … } … }
//! p = potential();  force(p);    init    for (…) { checkpoint  force(p); }
//! ```
//!
//! From where the struct is allocated, every way to `init` comes by the guard, and nothing resets the member behind `init`
//! before the guard is passed again. So no run comes into the block after `init`, and every start has been in it by then:
//! what it stores to has not been changed, what it allocates is there.
//!
//! The ways are followed from the allocation on, back to `main` and to `init`, into the calls that may come to the guard.
//! Which calls those are, a pointer to the struct tells that is known to be one: `p->force(p)`.
//!
//! Errors fall on the side of *not known*. An allocation that fails is taken for the end of the program.
//!
//! Not here: what a restarted program sets up itself (`completeness`).

mod follow;
mod guards;
