//! `-MD` and its like: what results depend on, as a rule for make.
//!
//! All files are seen as one program, so every result depends on every source and on all that is included anywhere.

use super::options::{Options, Rules};
use crate::program::Program;
use std::path::PathBuf;

/// The files with rules, and their texts.
pub fn files(
    rules: &Rules,
    options: &Options,
    program: &Program,
    outputs: &[Option<PathBuf>],
) -> Result<Vec<(PathBuf, String)>, String> {
    let mut needed: Vec<String> = Vec::new();
    let sources = options.files.iter();
    needed.extend(sources.map(|file| file.to_string_lossy().into_owned()));
    let mut phony = Vec::new();
    for unit in &program.units {
        for name in unit.file.included(rules.with_system) {
            if !needed.contains(&name) {
                phony.push(name.clone());
                needed.push(name);
            }
        }
    }
    let facts = options.catalog.iter();
    needed.extend(facts.map(|file| file.to_string_lossy().into_owned()));
    let needed: String = needed
        .iter()
        .map(|name| format!(" \\\n  {}", quoted(name)))
        .collect();
    let phony: String = match rules.phony {
        true => phony
            .iter()
            .map(|name| format!("{}:\n", quoted(name)))
            .collect(),
        false => String::new(),
    };
    let text = |targets: &str| format!("{targets}:{needed}\n{phony}");
    let results: Vec<&PathBuf> = outputs.iter().flatten().collect();
    let names: Vec<String> = match rules.targets.is_empty() {
        true => results
            .iter()
            .map(|path| quoted(&path.to_string_lossy()))
            .collect(),
        false => rules.targets.clone(),
    };
    if names.is_empty() {
        return Err(
            "what depends on what? -MD needs results in files, by -o or -d, or a target by -MT"
                .into(),
        );
    }
    match &rules.file {
        Some(file) => Ok(vec![(file.clone(), text(&names.join(" ")))]),
        None if results.is_empty() => Err("-MD needs the name of a file, by -MF".into()),
        None => {
            let own = |(at, path): (usize, &&PathBuf)| {
                let targets = match rules.targets.is_empty() {
                    true => names[at].clone(),
                    false => names.join(" "),
                };
                (path.with_extension("d"), text(&targets))
            };
            Ok(results.iter().enumerate().map(own).collect())
        }
    }
}

/// A name as make reads it.
pub fn quoted(name: &str) -> String {
    name.replace('$', "$$")
        .replace(' ', "\\ ")
        .replace('#', "\\#")
}
