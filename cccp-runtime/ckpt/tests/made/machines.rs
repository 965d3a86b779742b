//! Machines whose memory differs in everything that may differ.

use cccp::format::{LongDouble, Machine};

pub fn x86_64() -> Machine {
    Machine {
        big_endian: false,
        pointer: 8,
        long: 8,
        long_double: 16,
        long_double_format: LongDouble::X87,
        description: "x86_64-linux".to_string(),
    }
}

pub fn s390x() -> Machine {
    Machine {
        big_endian: true,
        long_double_format: LongDouble::Quad,
        description: "s390x-linux".to_string(),
        ..x86_64()
    }
}

pub fn i686() -> Machine {
    Machine {
        pointer: 4,
        long: 4,
        long_double: 12,
        description: "x86-linux".to_string(),
        ..x86_64()
    }
}
