//! What ran on the way to the checkpoint.
//!
//! The trace of a damaged file may not fit together, so nothing here relies on an index, and no node is printed twice.

use cccp::format::{Checkpoint, Entry, File, Node, Payload, Value};

use crate::elements::{Targets, spell};
use crate::outcome::Failure;
use crate::output::{Look, Output};
use crate::render::printable;

/// Functions of the stack that are named.
const DEEPEST: usize = 12;
/// Scalars of a value that are shown.
const SOME: usize = 4;

/// The calls in progress, the outermost first.
pub fn stack(checkpoint: &Checkpoint) -> String {
    let nodes = &checkpoint.trace.nodes;
    let mut names = Vec::new();
    let roots = checkpoint.trace.roots.iter().rev();
    let mut next = roots
        .filter_map(|root| nodes.get(*root as usize))
        .find(|node| node.active.is_some());
    while let Some(node) = next {
        names.push(function(checkpoint, node));
        next = match active(node) {
            Some(Payload::Call(child)) if names.len() <= nodes.len() => nodes.get(*child as usize),
            _ => None,
        };
    }
    if names.len() > DEEPEST {
        let left_out = names.len() - DEEPEST;
        names.splice(
            DEEPEST / 2..DEEPEST / 2 + left_out,
            [format!("({left_out} more)")],
        );
    }
    match names.is_empty() {
        true => "empty".to_string(),
        false => names.join(" > "),
    }
}

/// What is in progress in a node.
fn active(node: &Node) -> Option<&Payload> {
    let entry = node.entries.get(node.active? as usize)?;
    Some(&entry.payload)
}

fn function(checkpoint: &Checkpoint, node: &Node) -> String {
    let function = checkpoint.functions.get(node.function as usize);
    function.map_or("?".to_string(), |function| printable(&function.name))
}

/// Prints the trace in the order of time, calls indented below their callers.
pub fn print(file: &File, output: &mut Output) -> Result<(), Failure> {
    let checkpoint = &file.checkpoint;
    let nodes = &checkpoint.trace.nodes;
    let targets = Targets::of(checkpoint);
    output.line(output.paint(Look::Title, "trace"))?;
    let mut printed = vec![false; nodes.len()];
    // Node, its next entry, depth: recursion of the program must not become ours.
    let mut stack: Vec<(usize, usize, usize)> = Vec::new();
    for root in &checkpoint.trace.roots {
        enter(*root, 1, &mut printed, &mut stack, file, &targets, output)?;
        while let Some((index, next, depth)) = stack.pop() {
            let Some(entry) = nodes[index].entries.get(next) else {
                continue;
            };
            stack.push((index, next + 1, depth));
            let active = nodes[index].active == Some(next as u32);
            line(entry, active, depth, file, &targets, output)?;
            if let Payload::Call(child) = entry.payload {
                enter(
                    child,
                    depth + 1,
                    &mut printed,
                    &mut stack,
                    file,
                    &targets,
                    output,
                )?;
            }
        }
    }
    output.line("")
}

fn enter(
    node: u32,
    depth: usize,
    printed: &mut [bool],
    stack: &mut Vec<(usize, usize, usize)>,
    file: &File,
    targets: &Targets,
    output: &mut Output,
) -> Result<(), Failure> {
    let index = node as usize;
    let known = printed
        .get_mut(index)
        .is_some_and(|printed| !std::mem::replace(printed, true));
    if !known {
        return Ok(());
    }
    let node = &file.checkpoint.trace.nodes[index];
    let name = output.paint(Look::Name, function(&file.checkpoint, node));
    stack.push((index, 0, depth + 1));
    if node.is_residence() {
        return output.line(format!(
            "{}{name}, from init on",
            "  ".repeat(depth.min(40))
        ));
    }
    let arguments: Vec<String> = node
        .arguments
        .iter()
        .map(|value| one_value(file, value, targets))
        .collect();
    let over = if node.active.is_some() {
        ""
    } else {
        "  returned"
    };
    output.line(format!(
        "{}{name}({}){over}",
        "  ".repeat(depth.min(40)),
        arguments.join(", ")
    ))
}

fn line(
    entry: &Entry,
    active: bool,
    depth: usize,
    file: &File,
    targets: &Targets,
    output: &mut Output,
) -> Result<(), Failure> {
    let values = |list: &[Value]| -> String {
        let words: Vec<String> = list
            .iter()
            .map(|value| one_value(file, value, targets))
            .collect();
        words.join(", ")
    };
    let what = match &entry.payload {
        Payload::Register(links) => {
            let names: Vec<String> = links
                .iter()
                .map(|link| match link.register {
                    Some(id) => targets
                        .register(id)
                        .map_or(format!("#{id}"), |register| printable(&register.name)),
                    None => format!("item {} (no data)", link.item),
                })
                .collect();
            format!("register {}", names.join(", "))
        }
        Payload::Execute(list) => format!("execute {}", values(list)),
        Payload::Region(list) => format!("region {}", values(list)),
        Payload::Call(_) => "call".to_string(),
        Payload::Checkpoint => "checkpoint".to_string(),
    };
    let mut notes = String::new();
    if !entry.instances.is_empty() {
        notes.push_str(&format!("  loops {:?}", entry.instances));
    }
    if entry.dormant {
        notes.push_str("  superseded");
    }
    if active {
        notes.push_str("  <- here");
    }
    let block = match entry.block {
        0 => "no block".to_string(),
        block => format!("block {block}"),
    };
    let place = output.paint(Look::Faint, format!("{:>6} {block}", entry.sequence));
    output.line(format!(
        "{}{place}: {}{notes}",
        "  ".repeat(depth.min(40)),
        what.trim_end()
    ))
}

/// `n = 30`
fn one_value(file: &File, value: &Value, targets: &Targets) -> String {
    let mut words = Vec::new();
    if let Ok(mut values) = file.value(value) {
        let mut batch = Vec::new();
        if matches!(values.next(&mut batch), Ok(true)) {
            words.extend(batch.iter().take(SOME).map(|scalar| spell(scalar, targets)));
            if batch.len() > SOME {
                words.push("…".to_string());
            }
        }
    }
    let words = match &words[..] {
        [] => "?".to_string(),
        [one] => one.clone(),
        several => format!("{{{}}}", several.join(", ")),
    };
    printable(&format!("{} = {words}", value.name))
}
