//! The environment variables of the process.
//!
//! In: nothing, or what a checkpoint holds. Out: all of them with the places of their texts, and single ones set, taken away, or put in the
//! place of a text of the program.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};

/// Each variable by its name: the bytes of its value, and where its text `NAME=value` lies.
pub type Variables = BTreeMap<Vec<u8>, (Vec<u8>, usize)>;

unsafe extern "C" {
    static mut environ: *const *const c_char;
}

/// All variables. What has no name is left out; of two of one name the first counts, as for `getenv`.
pub fn variables() -> Variables {
    let mut all = Variables::new();
    // SAFETY: a list of texts that ends with a null pointer (POSIX.1-2017, 8.1); no other thread of the program changes it meanwhile.
    unsafe {
        let mut next = environ;
        while let Some(text) = next.as_ref().filter(|text| !text.is_null()) {
            let bytes = CStr::from_ptr(*text).to_bytes();
            if let Some(at) = bytes.iter().position(|byte| *byte == b'=') {
                let (name, value) = (bytes[..at].to_vec(), bytes[at + 1..].to_vec());
                all.entry(name).or_insert((value, *text as usize));
            }
            next = next.add(1);
        }
    }
    all
}

/// Sets a variable; takes it away without a value. False when there is no memory for it, or it is no name.
pub fn set_variable(name: &[u8], value: Option<&[u8]>) -> bool {
    let text = |bytes: &[u8]| CString::new(bytes).ok();
    let Some(name) = text(name) else {
        return false;
    };
    // SAFETY: both are texts, of which the C library makes copies.
    match value.map(text) {
        Some(Some(value)) => unsafe { libc::setenv(name.as_ptr(), value.as_ptr(), 1) == 0 },
        Some(None) => false,
        None => unsafe { libc::unsetenv(name.as_ptr()) == 0 },
    }
}

impl super::Program {
    /// Lets a text of the program, `NAME=value`, be a variable: what it stores there later changes the variable, as behind `putenv`.
    pub fn put_variable(&self, place: usize) -> bool {
        // SAFETY: a text in the program's memory (the promise of this room).
        unsafe { libc::putenv(place as *mut c_char) == 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_is_set_is_read_again_until_it_is_taken_away() {
        let name = b"CCCP_TEST_OF_VARIABLES".as_slice();
        let value = || variables().get(name).map(|(value, _)| value.clone());
        assert!(set_variable(name, Some(b"1=2")));
        assert_eq!(value().as_deref(), Some(b"1=2".as_slice()));
        assert!(set_variable(name, None));
        assert_eq!(value(), None);
        assert!(!set_variable(b"a=b", Some(b"")));
    }
}
