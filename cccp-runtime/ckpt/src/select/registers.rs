//! A register by the name that the user wrote.

use cccp::format::{Checkpoint, Register};

use crate::outcome::Failure;

/// The register called `name` or `function:name`. When several have the name, the words list them.
pub fn find_register<'a>(checkpoint: &'a Checkpoint, name: &str) -> Result<&'a Register, Failure> {
    let all = || {
        checkpoint
            .sections
            .iter()
            .flat_map(|section| &section.registers)
    };
    let full = |register: &Register| full_name(checkpoint, register);
    let named: Vec<&Register> = all()
        .filter(|register| register.name == name || full(register) == name)
        .collect();
    match named[..] {
        [register] => Ok(register),
        [] => Err(Failure::said(format!(
            "there is no register {name}; there are {}",
            list(all().map(full))
        ))),
        _ => {
            let words = |register: &&Register| {
                format!(
                    "{} (number {}, line {})",
                    full(register),
                    register.id,
                    register.line
                )
            };
            let functions = named
                .windows(2)
                .all(|pair| pair[0].function == pair[1].function);
            let hint = match functions {
                true => "say its number, as in #12",
                false => "say function:name",
            };
            Err(Failure::said(format!(
                "several registers are called {name}: {}; {hint}",
                list(named.iter().map(words))
            )))
        }
    }
    .or_else(|failure| {
        // A number is unique.
        let number = name
            .strip_prefix('#')
            .and_then(|number| number.parse().ok());
        let numbered = all().find(|register| Some(register.id) == number);
        numbered.ok_or(failure)
    })
}

/// `function:name`.
pub fn full_name(checkpoint: &Checkpoint, register: &Register) -> String {
    let function = checkpoint.functions.get(register.function as usize);
    match function {
        Some(function) => format!("{}:{}", function.name, register.name),
        None => register.name.clone(),
    }
}

fn list(names: impl Iterator<Item = String>) -> String {
    const MOST: usize = 20;
    let names: Vec<String> = names.collect();
    match names.len() {
        0 => "none".to_string(),
        1..=MOST => names.join(", "),
        more => format!("{}, … ({more} in all)", names[..MOST].join(", ")),
    }
}
