//! Finding the register and writing it in its form.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cccp::format::{File, Layout, Register};
use cccp::store::{self, FileSystem, Problem};
use serde::Serialize;

use super::arguments::{Arguments, Job};
use super::field::Field;
use super::kind::Kind;
use crate::elements::{Element, Grid, Scalars, Targets};
use crate::forms::{Losses, Rows, Scale, draw, write_numpy, write_table};
use crate::outcome::{Failure, Status};
use crate::output::{Output, Progress, create, refuse_existing};
use crate::render::size;
use crate::select::{find_register, full_name, open_file};

#[derive(Serialize)]
struct Answer {
    files: Vec<Made>,
}

/// A file that was made.
#[derive(Serialize)]
struct Made {
    path: PathBuf,
    format: Kind,
    from: PathBuf,
    function: String,
    name: String,
    #[serde(rename = "type")]
    kind: String,
    extents: Vec<u64>,
    bytes: u64,
    /// Whether something else in the checkpoint is damaged.
    damaged: bool,
    /// What was lost or should be known.
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Picture>,
}

#[derive(Serialize)]
struct Picture {
    width: u32,
    height: u32,
    low: f64,
    high: f64,
    /// Rows and columns of the values behind a pixel.
    block: (u64, u64),
    not_numbers: u64,
    infinite: u64,
}

/// What writing a form gave.
#[derive(Default)]
struct Written {
    notes: Vec<String>,
    picture: Option<Picture>,
}

/// Exports.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Status, Failure> {
    let kind = Kind::of(arguments.format, &arguments.output)?;
    for (given, option) in [
        (arguments.slice.is_some(), "--slice"),
        (arguments.member.is_some(), "--member"),
        (arguments.range.is_some(), "--range"),
    ] {
        if given && kind != Kind::Png {
            return Err(Failure::said(format!(
                "{option} is for pictures (.png) only"
            )));
        }
    }
    let jobs = arguments.jobs()?;
    let to_stdout = arguments.output.as_os_str() == "-";
    if to_stdout && output.is_json() {
        return Err(Failure::said(
            "--json and -o - both want the standard output",
        ));
    }
    // Before any file is made.
    for job in jobs.iter().filter(|_| !to_stdout) {
        refuse_existing(&job.to, arguments.force)?;
    }
    let mut files = Vec::new();
    for job in &jobs {
        files.push(one(arguments, kind, job, output)?);
    }
    let status = match files.iter().any(|made| made.damaged) {
        true => Status::Bad,
        false => Status::Good,
    };
    if output.is_json() {
        output.json("export", &Answer { files })?;
        return Ok(status);
    }
    for made in files {
        for note in &made.notes {
            output.remark(format!("{}: note: {note}", made.path.display()));
        }
        if !to_stdout {
            let line = describe(&made, output.exact_bytes());
            output.line(line)?;
        }
    }
    Ok(status)
}

fn one(arguments: &Arguments, kind: Kind, job: &Job, output: &mut Output) -> Result<Made, Failure> {
    let (file, damage) = open(&job.from, output)?;
    let checkpoint = &file.checkpoint;
    let register = find_register(checkpoint, &arguments.register).map_err(|failure| {
        let damage = damage.as_ref().map(|damage| format!("{damage}; "));
        Failure::said(format!(
            "{}: {}{failure}",
            job.from.display(),
            damage.unwrap_or_default()
        ))
    })?;
    let progress = output.progress(job.to.display().to_string(), register.elements);
    let write = |out: &mut dyn Write| form(arguments, kind, &file, register, &progress, out);
    let (bytes, written) = if job.to.as_os_str() == "-" {
        let written = write(output.stream()).map_err(|error| Failure::writing(&error))?;
        (0, written)
    } else {
        create(&job.to, arguments.force, write)?
    };
    let name = full_name(checkpoint, register);
    let mut notes = written.notes;
    if let Some(damage) = &damage {
        let from = job.from.display();
        notes.push(format!("{from} is {damage}, but this register is sound"));
    }
    Ok(Made {
        damaged: damage.is_some(),
        path: job.to.clone(),
        format: kind,
        from: job.from.clone(),
        function: name
            .strip_suffix(&format!(":{}", register.name))
            .unwrap_or_default()
            .to_string(),
        name: register.name.clone(),
        kind: checkpoint.types[register.type_index as usize].name.clone(),
        extents: register.extents.clone(),
        bytes,
        notes,
        picture: written.picture,
    })
}

/// Opens a file. Of a damaged one the registers that are sound can be used; what is wrong is given besides.
fn open(path: &Path, output: &Output) -> Result<(File, Option<String>), Failure> {
    let error = match open_file(path, output) {
        Ok(file) => return Ok((file, None)),
        Err(error) => error,
    };
    if !matches!(error.problem, Problem::Contents(_)) {
        return Err(error.into());
    }
    let remains = store::salvage(&FileSystem, path).ok();
    match remains.and_then(|remains| remains.file) {
        Some(file) => Ok((file, Some(error.problem.to_string()))),
        None => Err(error.into()),
    }
}

/// Writes a register in a form.
fn form(
    arguments: &Arguments,
    kind: Kind,
    file: &File,
    register: &Register,
    progress: &Progress,
    out: &mut dyn Write,
) -> io::Result<Written> {
    let checkpoint = &file.checkpoint;
    let mut scalars = Scalars::new(file, register).map_err(io::Error::other)?;
    let mut advance = || progress.advance(1);
    if kind == Kind::Png {
        let member = arguments.member.as_deref();
        let field = Field::of(checkpoint, register, arguments.slice.as_ref(), member)
            .map_err(io::Error::other)?;
        let heat = field.read(&mut scalars, arguments.pixels, &mut advance)?;
        let (low, high) = heat.range.unwrap_or((0.0, 0.0));
        let scale = arguments.range.unwrap_or(Scale { low, high });
        let source = full_name(checkpoint, register);
        let header = &checkpoint.header;
        let title = format!(
            "{source} of {}, rank {}, generation {}",
            header.program, header.rank, header.generation
        );
        let texts = [
            ("Title", title),
            ("Software", "cccp-ckpt".to_string()),
            ("Darkest", format!("{:?}", scale.low)),
            ("Lightest", format!("{:?}", scale.high)),
            ("Least", format!("{low:?}")),
            ("Largest", format!("{high:?}")),
        ]
        .map(|(key, text)| (key.to_string(), text));
        let (width, height) = draw(&heat, scale, &texts, out)?;
        return Ok(Written {
            notes: Vec::new(),
            picture: Some(Picture {
                width,
                height,
                low: scale.low,
                high: scale.high,
                block: heat.block,
                not_numbers: heat.not_numbers,
                infinite: heat.infinite,
            }),
        });
    }
    let layout = Layout {
        types: &checkpoint.types,
        machine: &checkpoint.header.machine,
    };
    let element = Element::of(layout, register.type_index);
    if element.is_empty() {
        return Err(io::Error::other(format!(
            "{} has no values that are saved",
            register.name
        )));
    }
    let losses: Losses = match kind {
        Kind::Csv => {
            let rows = Rows::of(register, element);
            let grid = Grid {
                extents: rows.extents.clone(),
                // One row of letters is one text.
                first: match rows.extents.len() == register.extents.len() {
                    true => register.first,
                    false => register.first / register.extents.last().copied().unwrap_or(1).max(1),
                },
            };
            let targets = Targets::of(checkpoint);
            write_table(&rows, &grid, &targets, &mut scalars, out, &mut advance)?
        }
        _ => write_numpy(
            &Rows::of(register, element),
            &mut scalars,
            out,
            &mut advance,
        )?,
    };
    Ok(Written {
        notes: losses.words().into_iter().collect(),
        picture: None,
    })
}

fn describe(made: &Made, exact: bool) -> String {
    let extents: String = made
        .extents
        .iter()
        .map(|extent| format!("[{extent}]"))
        .collect();
    let mut line = format!(
        "{}: {}:{}, {}{extents}, {}",
        made.path.display(),
        made.function,
        made.name,
        made.kind,
        size(made.bytes, exact)
    );
    if let Some(picture) = &made.picture {
        line += &format!(
            "; {}x{} pixels, darkest {:?}, lightest {:?}",
            picture.width, picture.height, picture.low, picture.high
        );
        if picture.block != (1, 1) {
            let (rows, columns) = picture.block;
            line += &format!(", averages of up to {rows}x{columns} values");
        }
        if picture.not_numbers > 0 {
            line += &format!(", {} NaN", picture.not_numbers);
        }
        if picture.infinite > 0 {
            line += &format!(", {} infinite", picture.infinite);
        }
    }
    line
}
