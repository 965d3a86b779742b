//! Registers that stand in the program already: one item per name in a function.
//!
//! A register replaces an older one of the same name in the same function, wherever the two stand. So `p`, `p[n]`, `p[]` and
//! `follow(p)` are one item of different strength, and a weak one behind a strong one takes away what that brought. In: what
//! is wanted now, and the lines of earlier rounds. Out: the strongest of all of them everywhere.
//!
//! ```text
//! register(p[n])  …  register(follow(p))     becomes     register(follow(p))  …  (nothing new)
//! ```
//!
//! Only lines that auto mode wrote are changed. Not here: what is wanted, and where (`registers`).

use std::collections::BTreeMap;

use super::insert::{At, Replacement};
use crate::analysis::Analysed;
use crate::dataflow::FunctionRef;
use crate::dataflow::steps::RoutineId;
use crate::program::{Brings, Directive, DirectiveUse, Item, ItemPlace};
use crate::source::SourceFile;

/// How much an item brings: from here on, all blocks to which its pointers lead.
const BLOCKS: u8 = 2;

/// The name under which an item is registered, and how much it brings; none for an open file.
fn name_and_strength(text: &str) -> Option<(&str, u8)> {
    if text.starts_with("file(") {
        return None;
    }
    let followed = text.strip_prefix("follow(");
    if let Some(name) = followed.and_then(|rest| rest.strip_suffix(')')) {
        return Some((name, 3));
    }
    Some(match text.split_once('[') {
        Some((name, "]")) => (name, BLOCKS),
        Some((name, _)) => (name, 1),
        None => (text, 0),
    })
}

/// The stronger of two items, when they are of one name and it brings blocks.
pub fn stronger<'t>(one: &'t str, other: &'t str) -> &'t str {
    match (name_and_strength(one), name_and_strength(other)) {
        (Some((name, strength)), Some((same, more)))
            if name == same && more >= BLOCKS && more > strength =>
        {
            other
        }
        _ => one,
    }
}

/// An item of a register that stands in the program.
struct Mark<'a> {
    unit: usize,
    routine: RoutineId,
    directive: &'a DirectiveUse,
    item: &'a Item,
    text: &'a str,
    strength: u8,
}

impl Mark<'_> {
    /// An item of so much strength brings the same and more. An array with bounds is no pointer.
    fn is_weaker_than(&self, strength: u8) -> bool {
        let is_part = self.item.kind != ItemPlace::BehindPointer && self.strength == 1;
        !is_part && self.strength < strength
    }
}

/// All items that stand in the program.
pub struct Marks<'a> {
    facts: &'a Analysed<'a>,
    all: Vec<Mark<'a>>,
}

impl<'a> Marks<'a> {
    /// Of a program.
    pub fn of(facts: &'a Analysed<'a>) -> Marks<'a> {
        let mut all = Vec::new();
        for (unit, directive) in facts.directives() {
            let (Directive::Register { items }, Some(function)) =
                (&directive.directive, directive.function)
            else {
                continue;
            };
            let routine = facts.steps.routine_of(FunctionRef { unit, function });
            let file = &facts.program.units[unit].file;
            for item in items.iter().filter(|item| item.brings != Brings::File) {
                let text = file.original_text(item.place);
                let strength = name_and_strength(text).map_or(0, |(_, strength)| strength);
                all.push(Mark {
                    unit,
                    routine,
                    directive,
                    item,
                    text,
                    strength,
                });
            }
        }
        Marks { facts, all }
    }

    fn file(&self, unit: usize) -> &'a SourceFile {
        &self.facts.program.units[unit].file
    }

    /// The same item stands there already, with nothing but added lines in between.
    pub fn stands_at(&self, unit: usize, at: At, text: &str) -> bool {
        let file = self.file(unit);
        let mut here = self.all.iter().filter(|mark| mark.unit == unit);
        here.any(|mark| {
            let lines = mark.directive.lines;
            let between = match at {
                At::Before(offset) => lines.end..offset,
                At::After(offset) => offset..lines.start,
            };
            let mut at = between.start;
            mark.text == text
                && file.original.get(between).is_some_and(|between| {
                    between.split_inclusive('\n').all(|line| {
                        let start = at;
                        at += line.len();
                        line.trim().is_empty() || file.is_added(start)
                    })
                })
        })
    }

    /// The strongest form of items that are wanted in a function, given those that stand there.
    pub fn strongest(&self, routine: RoutineId, wanted: &str) -> String {
        let here = self.all.iter().filter(|mark| mark.routine == routine);
        let strongest = here.fold(wanted, |text, mark| stronger(text, mark.text));
        strongest.to_string()
    }

    /// Makes weaker items of the same name as strong in all lines that were added. Whether there were any.
    pub fn strengthen(&self, routine: RoutineId, wanted: &str, changes: &mut Changes<'a>) -> bool {
        let Some((name, strength)) = name_and_strength(wanted) else {
            return false;
        };
        let weaker = self.all.iter().filter(|mark| {
            let is_same = mark.routine == routine && mark.item.name == name;
            let is_added = self.file(mark.unit).is_added(mark.directive.lines.start);
            is_same && is_added && strength >= BLOCKS && mark.is_weaker_than(strength)
        });
        let mut is_changed = false;
        for mark in weaker {
            let key = (mark.unit, mark.directive.lines.start);
            let (_, texts) = changes.0.entry(key).or_insert((mark.directive, Vec::new()));
            texts.push((mark.text, wanted.to_string()));
            is_changed = true;
        }
        is_changed
    }

    /// The lines with their changes.
    pub fn changed(&self, changes: Changes<'a>) -> Vec<(usize, Replacement)> {
        let lines = changes.0.into_iter();
        lines
            .map(|((unit, _), (directive, texts))| {
                let range = directive.lines;
                let line = self.file(unit).original_text(range);
                let text = rewritten(line, &texts);
                (unit, Replacement { range, text })
            })
            .collect()
    }
}

/// Lines that change: by unit and place, the directive, and its items before and after.
#[derive(Default)]
pub struct Changes<'a>(BTreeMap<(usize, usize), Change<'a>>);

/// A directive, and its items as they are now: each before and after.
type Change<'a> = (&'a DirectiveUse, Vec<(&'a str, String)>);

/// A line that auto mode wrote, `… register(ITEM, …) /* read: ITEM line 1, … */`, with other items.
fn rewritten(line: &str, changes: &[(&str, String)]) -> String {
    let changed = |text: &str| {
        let known = changes.iter().find(|(before, _)| *before == text);
        known.map_or_else(|| text.to_string(), |(_, after)| after.clone())
    };
    let Some((head, rest)) = line.split_once("register(") else {
        return line.to_string();
    };
    let (items, reasons) = match rest.split_once(" /* read: ") {
        Some((items, reasons)) => (items, reasons.trim_end_matches(" */")),
        None => (rest, ""),
    };
    let items = items.strip_suffix(')').unwrap_or(items);
    let mut new: Vec<String> = Vec::new();
    let mut why: Vec<String> = Vec::new();
    let mut reasons: Vec<(&str, &str)> = reasons
        .split(", ")
        .filter_map(|reason| reason.split_once(' '))
        .collect();
    for item in items.split(", ") {
        let text = changed(item);
        let own = reasons.iter().position(|(of, _)| *of == item);
        let reason = own.map(|own| reasons.remove(own).1);
        if new.contains(&text) {
            continue;
        }
        why.extend(reason.map(|reason| format!("{text} {reason}")));
        new.push(text);
    }
    let read = match why.is_empty() {
        true => String::new(),
        false => format!(" /* read: {} */", why.join(", ")),
    };
    format!("{head}register({}){read}", new.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{name_and_strength, rewritten};

    #[test]
    fn items_of_one_name_differ_in_strength() {
        let all = ["s->u", "s->u[n]", "s->u[]", "follow(s->u)"].map(name_and_strength);
        assert_eq!(all, [0, 1, 2, 3].map(|strength| Some(("s->u", strength))));
        assert_eq!(name_and_strength("file(f)"), None);
    }

    #[test]
    fn a_line_says_each_item_once_and_keeps_its_reasons() {
        let line = "#pragma cccp register(n, u[n], v[], u) /* read: n line 3, u[n] line 4, v[] line 5, u line 4 */";
        let changes = [
            ("u[n]", "follow(u)".to_string()),
            ("u", "follow(u)".to_string()),
        ];
        assert_eq!(
            rewritten(line, &changes),
            "#pragma cccp register(n, follow(u), v[]) /* read: n line 3, follow(u) line 4, v[] line 5 */"
        );
        assert_eq!(
            rewritten("#pragma cccp register(p)", &[("p", "p[]".to_string())]),
            "#pragma cccp register(p[])"
        );
    }
}
