//! Whether the machine's memory has several parts, each near to some processors (NUMA).

use std::fs;
use std::sync::OnceLock;

/// Whether a list of nodes, as the system writes it, has several: `0-1`, `0,2`.
fn has_several(list: &str) -> bool {
    list.contains([',', '-'])
}

/// Whether it matters where memory is. False when the system does not say it.
pub fn has_several_nodes() -> bool {
    static SEVERAL: OnceLock<bool> = OnceLock::new();
    *SEVERAL.get_or_init(|| {
        let list = fs::read_to_string("/sys/devices/system/node/online");
        list.is_ok_and(|list| has_several(&list))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_nodes_are_read() {
        assert!(!has_several("0\n"));
        assert!(has_several("0-1\n") && has_several("0,8\n"));
    }
}
