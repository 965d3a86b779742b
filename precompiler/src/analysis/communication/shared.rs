//! What many states have in common: copied when one of them changes it.

use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// Shared until it is written to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared<T: Clone>(Rc<T>);

impl<T: Clone> Shared<T> {
    /// Something that nobody else has yet.
    pub fn new(inner: T) -> Shared<T> {
        Shared(Rc::new(inner))
    }
}

impl<T: Clone> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Rc::make_mut(&mut self.0)
    }
}

impl<T: Clone> From<T> for Shared<T> {
    fn from(inner: T) -> Shared<T> {
        Shared::new(inner)
    }
}

impl<'a, T: Clone> IntoIterator for &'a Shared<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (**self).into_iter()
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut Shared<T>
where
    &'a mut T: IntoIterator,
{
    type Item = <&'a mut T as IntoIterator>::Item;
    type IntoIter = <&'a mut T as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (**self).into_iter()
    }
}
