//! The floating-point environment of this thread: how results are rounded, what has been raised, what traps.
//!
//! In: nothing, or what a checkpoint holds. Out: the rounding mode and the raised exceptions as numbers that mean the same on
//! every machine, and the control registers of this one: they hold what only it has, flushing of tiny numbers to zero,
//! precision, traps. On a machine that is not known here there is no environment, and nothing is guessed.

/// Raised: an invalid operation, a division by zero, an overflow, an underflow, an inexact result.
const INEXACT: u64 = 16;

/// The environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Floating {
    /// 0 to the nearest, 1 downward, 2 upward, 3 toward zero.
    pub rounding: u64,
    /// A sum of 1 invalid, 2 division by zero, 4 overflow, 8 underflow, 16 inexact.
    pub raised: u64,
    /// The control registers without rounding and raised exceptions.
    pub control: [u64; 2],
}

impl Floating {
    /// The number of this kind of machine in ELF files, beside which `control` stands; none where nothing is known.
    pub const MACHINE: u64 = machine::NUMBER;

    /// What every program begins with.
    pub const BEGUN: Floating = Floating {
        rounding: 0,
        raised: 0,
        control: machine::CONTROL,
    };

    /// What is in force; none on a machine that is not known.
    pub fn now() -> Option<Floating> {
        machine::read()
    }

    /// Puts it into force.
    pub fn put(self) {
        machine::write(self);
    }

    /// The same, with inexact results told as by the other one.
    pub fn with_inexact_of(self, other: Floating) -> Floating {
        let raised = self.raised & !INEXACT | other.raised & INEXACT;
        Floating { raised, ..self }
    }

    /// Whether nothing but inexact results makes a difference to what every program begins with.
    pub fn is_usual(self) -> bool {
        let raised = self.raised & !INEXACT;
        Floating { raised, ..self } == Floating::BEGUN
    }
}

#[cfg(target_arch = "x86_64")]
mod machine {
    use super::Floating;
    use std::arch::asm;

    pub const NUMBER: u64 = 62;
    /// MXCSR with its rounding bits zero, and the control word of the x87 with what is different in its rounding bits: all
    /// exceptions are masked.
    pub const CONTROL: [u64; 2] = [0x1f80, 0x37f];

    /// The bits of the exceptions of the standard, in the order of ours. Bit 1 tells of denormal operands.
    const BITS: [u32; 5] = [0, 2, 3, 4, 5];

    /// What the x87 keeps in memory with `fnstenv`: the control word and the status word are the first and the third.
    type Stored = [u32; 7];

    pub fn read() -> Option<Floating> {
        let (mut mxcsr, mut control, mut status) = (0u32, 0u16, 0u16);
        // SAFETY: each writes as many bytes as there are, and changes nothing else.
        unsafe {
            asm!(
                "stmxcsr [{0}]", "fnstcw [{1}]", "fnstsw [{2}]",
                in(reg) &raw mut mxcsr, in(reg) &raw mut control, in(reg) &raw mut status,
            );
        }
        let status = mxcsr | u32::from(status);
        let raised = BITS.iter().enumerate();
        Some(Floating {
            rounding: u64::from(mxcsr >> 13 & 3),
            raised: raised
                .map(|(ours, bit)| u64::from(status >> bit & 1) << ours)
                .sum(),
            control: [
                u64::from(mxcsr & !0x603f),
                u64::from((u32::from(control) ^ (mxcsr >> 13 & 3) << 10) & 0xf3f | 0x40),
            ],
        })
    }

    pub fn write(floating: Floating) {
        let rounding = floating.rounding as u32 & 3;
        let raised = BITS.iter().enumerate();
        let raised: u32 = raised
            .map(|(ours, bit)| (floating.raised as u32 >> ours & 1) << bit)
            .sum();
        // Reserved bits would be a fault.
        let mxcsr = floating.control[0] as u32 & 0x9fc0 | rounding << 13 | raised;
        let control = floating.control[1] as u32 & 0xf3f;
        let mut x87 = Stored::default();
        // SAFETY: memory of the right sizes; the x87 gets its control word, no raised exception, and all else as it was.
        unsafe {
            asm!("fnstenv [{0}]", in(reg) &raw mut x87);
            x87[0] = x87[0] & !0xf3f | control ^ rounding << 10;
            x87[1] &= !0x80ff;
            asm!("fldenv [{0}]", "ldmxcsr [{1}]", in(reg) &raw const x87, in(reg) &raw const mxcsr);
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod machine {
    use super::Floating;
    use std::arch::asm;

    pub const NUMBER: u64 = 183;
    /// FPCR without its rounding bits; there is no second register.
    pub const CONTROL: [u64; 2] = [0, 0];

    /// Its number of a way to round is ours, and back: upward and downward are exchanged.
    const fn rounding(number: u64) -> u64 {
        [0, 2, 1, 3][number as usize & 3]
    }

    pub fn read() -> Option<Floating> {
        let (control, status): (u64, u64);
        // SAFETY: reads two registers.
        unsafe { asm!("mrs {0}, fpcr", "mrs {1}, fpsr", out(reg) control, out(reg) status) };
        Some(Floating {
            rounding: rounding(control >> 22),
            raised: status & 31,
            control: [control & !(3 << 22), 0],
        })
    }

    pub fn write(floating: Floating) {
        let control = floating.control[0] & !(3 << 22) | rounding(floating.rounding) << 22;
        let status = floating.raised & 31;
        // SAFETY: writes the two registers that `read` reads.
        unsafe { asm!("msr fpcr, {0}", "msr fpsr, {1}", in(reg) control, in(reg) status) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod machine {
    use super::Floating;

    pub const NUMBER: u64 = 0;
    pub const CONTROL: [u64; 2] = [0, 0];

    pub fn read() -> Option<Floating> {
        None
    }

    pub fn write(_floating: Floating) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_environment_that_is_put_is_read_again() {
        let Some(begun) = Floating::now() else {
            return;
        };
        assert!(begun.is_usual(), "{begun:?}");
        for rounding in 0..4 {
            let other = Floating {
                rounding,
                raised: 18,
                ..Floating::BEGUN
            };
            other.put();
            let found = Floating::now();
            begun.put();
            assert_eq!(found, Some(other));
            assert!(!other.is_usual());
        }
        assert_eq!(Floating::now(), Some(begun));
    }
}
