//! Whether a file that was made says what the original says.

use cccp::format::{Checkpoint, Data, File};

use crate::compare::{Side, Tolerance, compare};
use crate::outcome::Failure;
use crate::output::Progress;

/// Compares everything but the encoding; a failure names what is not the same.
pub fn verify(original: &File, made: &File, progress: &Progress) -> Result<(), Failure> {
    let [one, other] = [original, made].map(|file| plain(&file.checkpoint));
    if one != other {
        return Err(Failure::said("its description is not that of the original"));
    }
    let files = [original, made];
    let sides = files.map(|file| Side::of(&file.checkpoint));
    let registers = files.map(|file| {
        let sections = file.checkpoint.sections.iter();
        sections.flat_map(|section| &section.registers)
    });
    let [ones, others] = registers;
    for (one, other) in ones.zip(others) {
        let finding = compare(
            [&sides[0], &sides[1]],
            files,
            [one, other],
            &Tolerance::default(),
            &mut |_| {},
        );
        let finding = finding.map_err(|error| Failure::said(format!("{}: {error}", one.name)))?;
        if !finding.is_equal() || finding.unknown_pointers > 0 {
            return Err(Failure::said(format!("the values of {} differ", one.name)));
        }
        progress.advance(one.elements);
    }
    Ok(())
}

/// What has to be the same: all but the encoding and where the data are.
fn plain(checkpoint: &Checkpoint) -> Checkpoint {
    let mut plain = checkpoint.clone();
    plain.header.encoding = cccp::format::Encoding::Xdr;
    for section in &mut plain.sections {
        for register in &mut section.registers {
            register.data = Data::Encoded(Vec::new());
        }
    }
    plain
}
