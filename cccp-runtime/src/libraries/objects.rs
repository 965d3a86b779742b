//! What plans, generators and files of zlib have in common: each is a pointer that the library gives.

use super::generators::{generator_word, is_generator, is_other_generator};
use super::inputs::{input_word, is_input, is_other_input};
use super::plans::{is_other_plan, is_plan, plan_word};

/// Whether values of a type are such objects.
pub fn is_object(kind: &str) -> bool {
    is_plan(kind) || is_generator(kind) || is_input(kind)
}

/// The word for one; none for one that no call has made which the library has seen.
pub fn word(bytes: &[u8]) -> Option<String> {
    plan_word(bytes)
        .or_else(|| generator_word(bytes))
        .or_else(|| input_word(bytes))
}

/// Whether there is nothing to say of an address: it is none, of an object that is gone, or of one that a block makes.
pub fn is_other(bytes: &[u8]) -> bool {
    is_other_plan(bytes) || is_other_generator(bytes) || is_other_input(bytes)
}
