//! Opening, comparing, telling.

use cccp::format::{Checkpoint, Encoding, File, LIBRARY, Layout, PRINTED, Register, TURNS};

use super::answer::{Answer, Compared, HeaderDifference, Rank, Source, Values, Verdict};
use super::arguments::{Arguments, Couple};
use super::text;
use crate::compare::{Pair, Side, Tolerance, compare, pair, unlike};
use crate::elements::Grid;
use crate::outcome::{Failure, Status};
use crate::output::{Output, Progress};
use crate::select::open_file;

/// Compares; good when nothing is different.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Failure> {
    let answer = look(arguments, output)?;
    if output.is_json() {
        output.json("diff", &answer)?;
    } else {
        text::show(&answer, output)?;
    }
    Ok(if answer.equal {
        Status::Good
    } else {
        Status::Bad
    })
}

/// Compares, for whoever asks.
pub fn look(arguments: &Arguments, output: &Output) -> Result<Answer, Failure> {
    let couples = arguments.couples()?;
    let mut answer: Option<Answer> = None;
    for couple in &couples {
        let files = [
            open_file(&couple.paths[0], output)?,
            open_file(&couple.paths[1], output)?,
        ];
        let checkpoints = [&files[0].checkpoint, &files[1].checkpoint];
        let answer = answer.get_or_insert_with(|| Answer {
            equal: true,
            different_registers: 0,
            registers: 0,
            a: Source::of(couple.shown(0), checkpoints[0]),
            b: Source::of(couple.shown(1), checkpoints[1]),
            header: headers(checkpoints, couple.rank.is_none()),
            ranks: Vec::new(),
        });
        let total = checkpoints[0]
            .sections
            .iter()
            .flat_map(|section| &section.registers);
        let what = match couple.rank {
            Some(rank) => format!("rank {rank}"),
            None => "comparing".to_string(),
        };
        let progress = output.progress(what, total.map(|register| register.elements).sum());
        answer
            .ranks
            .push(rank(couple, &files, &arguments.tolerance, &progress)?);
    }
    let Some(mut answer) = answer else {
        return Err(Failure::said("there is no rank to compare"));
    };
    let registers = || answer.ranks.iter().flat_map(|rank| &rank.registers);
    answer.registers = registers().count() as u64;
    answer.different_registers = registers()
        .filter(|register| !register.verdict.is_good())
        .count() as u64;
    answer.equal =
        answer.different_registers == 0 && !answer.header.iter().any(|header| header.counts);
    Ok(answer)
}

/// What the headers say differently.
fn headers(sides: [&Checkpoint; 2], ranks: bool) -> Vec<HeaderDifference> {
    let mut found = Vec::new();
    let mut look = |what, counts, of: &dyn Fn(&Checkpoint) -> String| {
        let [a, b] = sides.map(of);
        if a != b {
            found.push(HeaderDifference { what, a, b, counts });
        }
    };
    look("program", true, &|side| side.header.program.clone());
    look("arguments", true, &|side| {
        let arguments = side.header.arguments.iter();
        let words: Vec<String> = arguments
            .map(|argument| String::from_utf8_lossy(argument).into_owned())
            .collect();
        words.join(" ")
    });
    look("number of ranks", true, &|side| {
        side.header.size.to_string()
    });
    if ranks {
        look("rank", true, &|side| side.header.rank.to_string());
    }
    look("generation", false, &|side| {
        side.header.generation.to_string()
    });
    look("checkpoint", false, &|side| {
        let site = &side.header.site;
        format!("{} (line {})", site.function, site.line)
    });
    look("build", false, &|side| {
        format!("{:016x}", side.header.fingerprint)
    });
    look("machine", false, &|side| {
        side.header.machine.description.clone()
    });
    look("encoding", false, &|side| match side.header.encoding {
        Encoding::Xdr => "XDR".to_string(),
        Encoding::Native => "native".to_string(),
    });
    found
}

fn rank(
    couple: &Couple,
    files: &[File; 2],
    tolerance: &Tolerance,
    progress: &Progress,
) -> Result<Rank, Failure> {
    let sides = [
        Side::of(&files[0].checkpoint),
        Side::of(&files[1].checkpoint),
    ];
    let mut registers = Vec::new();
    // How much a run has printed, and how often it has met its loops, is no part of its state.
    let is_of_run =
        |one: &Register| one.flags & LIBRARY != 0 && [PRINTED, TURNS].contains(&one.name.as_str());
    for pair in pair(&sides[0], &sides[1]) {
        let (Pair::OnlyFirst(first) | Pair::OnlySecond(first) | Pair::Both(first, _)) = pair;
        if is_of_run(first) {
            continue;
        }
        registers.push(match pair {
            Pair::OnlyFirst(register) => alone(&files[0], register, Verdict::OnlyA),
            Pair::OnlySecond(register) => alone(&files[1], register, Verdict::OnlyB),
            Pair::Both(one, other) => {
                both(couple, files, &sides, [one, other], tolerance, progress)?
            }
        });
    }
    Ok(Rank {
        rank: files[0].checkpoint.header.rank,
        registers,
    })
}

fn alone(file: &File, register: &Register, verdict: Verdict) -> Compared {
    let checkpoint = &file.checkpoint;
    let function = &checkpoint.functions[register.function as usize];
    Compared {
        file: function.file.clone(),
        line: register.line,
        function: function.name.clone(),
        name: register.name.clone(),
        kind: checkpoint.types[register.type_index as usize].name.clone(),
        is_of_library: register.flags & LIBRARY != 0,
        extents: register.extents.clone(),
        verdict,
        reason: None,
        values: None,
    }
}

fn both(
    couple: &Couple,
    files: &[File; 2],
    sides: &[Side; 2],
    registers: [&Register; 2],
    tolerance: &Tolerance,
    progress: &Progress,
) -> Result<Compared, Failure> {
    let [one, other] = registers;
    let mut compared = alone(&files[0], one, Verdict::Equal);
    let layout = |file: usize| {
        let Checkpoint { types, header, .. } = &files[file].checkpoint;
        let machine = &header.machine;
        (Layout { types, machine }, registers[file].type_index)
    };
    if let Some(reason) = unlike(layout(0), layout(1)) {
        compared.verdict = Verdict::Type;
        compared.reason = Some(reason);
        return Ok(compared);
    }
    if Grid::of(one) != Grid::of(other) {
        let shape = |register: &Register| match (register.extents.is_empty(), register.first) {
            (true, _) => "a single object".to_string(),
            (false, 0) => format!("{:?}", register.extents),
            (false, first) => format!("{:?} from element {first} on", register.extents),
        };
        compared.verdict = Verdict::Shape;
        compared.reason = Some(format!("A has {}, B {}", shape(one), shape(other)));
        return Ok(compared);
    }
    let finding = compare(
        [&sides[0], &sides[1]],
        [&files[0], &files[1]],
        registers,
        tolerance,
        &mut |values| progress.advance(values),
    )
    .map_err(|error| {
        let [a, b] = &couple.paths;
        Failure::said(format!(
            "{} and {}: {}: {error}",
            a.display(),
            b.display(),
            one.name
        ))
    })?;
    compared.verdict = match (finding.is_equal(), finding.is_good()) {
        (true, _) => Verdict::Equal,
        (false, true) => Verdict::Tolerated,
        (false, false) => Verdict::Different,
    };
    compared.values = Some(Values::of(
        &finding,
        [&files[0].checkpoint, &files[1].checkpoint],
        one,
    ));
    Ok(compared)
}
