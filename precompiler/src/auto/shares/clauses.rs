//! What the clauses of a loop that threads share say.

use cccp_grammar::openmp::{Clause, ClauseKind, Content, DirectiveName};

use crate::program::{Construct, Unit};

/// How iterations are handed out.
pub(super) enum Schedule {
    /// One share for each thread.
    Static,
    /// So many at a time, in turns.
    Turns(String),
    /// So many at a time, to the thread that comes first.
    Dynamic(String),
    /// As OpenMP says when the program comes to the loop.
    Runtime,
}

impl Schedule {
    /// Whether threads may take iterations from a counter.
    pub fn may_count(&self) -> bool {
        matches!(self, Schedule::Dynamic(_) | Schedule::Runtime)
    }
}

/// What the clauses say.
#[derive(Default)]
pub(super) struct Clauses {
    /// Those that go to the region.
    pub of_region: Vec<String>,
    pub schedule: Option<(String, Option<String>)>,
    pub depth: Option<usize>,
    pub nowait: bool,
    pub private: Vec<String>,
    pub shared: Vec<String>,
    pub first: Vec<String>,
    /// Those that have the value of the last iteration afterwards.
    pub last: Vec<String>,
    /// Operator and variable.
    pub sums: Vec<(String, String)>,
}

impl Clauses {
    /// What the clauses of a loop say. `None` when there is one that cannot be served.
    pub fn of(unit: &Unit, constructs: &[Construct], is_team: bool) -> Option<Clauses> {
        let mut found = Clauses::default();
        for construct in constructs {
            let is_known = |one| matches!(one, &DirectiveName::Parallel | &DirectiveName::For);
            if !construct.directives.iter().all(is_known) {
                return None;
            }
            for clause in &construct.clauses {
                found.add(clause, &construct.text_of(&unit.file, clause), is_team)?;
            }
        }
        if is_team {
            found.share_last();
        }
        Some(found)
    }

    /// A region has no `lastprivate`: its threads have copies inside of it, and the last iteration sets what they share.
    fn share_last(&mut self) {
        let is_last = |name: &&String| self.last.contains(*name);
        let others = self.first.iter().filter(|name| !is_last(name));
        let others: Vec<&str> = others.map(String::as_str).collect();
        let mut more = Vec::new();
        if !others.is_empty() {
            more.push(format!("firstprivate({})", others.join(", ")));
        }
        if !self.last.is_empty() {
            more.push(format!("shared({})", self.last.join(", ")));
        }
        self.of_region.extend(more);
        self.shared.extend(self.last.iter().cloned());
    }

    fn add(&mut self, clause: &Clause, text: &str, is_team: bool) -> Option<()> {
        use ClauseKind as C;
        match clause.kind {
            C::Schedule => {
                let Content::Schedule {
                    modifiers,
                    kind,
                    chunk,
                } = &clause.content
                else {
                    return None;
                };
                if modifiers.iter().any(|one| one.text == "simd") {
                    return None;
                }
                let chunk = chunk.as_ref().map(|one| one.text.clone());
                self.schedule = Some((kind.text.clone(), chunk));
            }
            C::Collapse => self.depth = Some(clause.expression()?.text.trim().parse().ok()?),
            C::Nowait => self.nowait = true,
            C::If | C::NumThreads | C::Default | C::Shared | C::Copyin | C::ProcBind if is_team => {
                self.of_region.push(text.to_string());
                if clause.kind == C::Shared {
                    let names = clause.variables().map(|one| one.text.clone());
                    self.shared.extend(names);
                }
            }
            C::Private | C::Firstprivate | C::Lastprivate | C::Reduction => {
                if !clause.items().iter().all(|one| one.is_whole()) && !is_team {
                    return None;
                }
                if is_team && matches!(clause.kind, C::Private | C::Reduction) {
                    self.of_region.push(text.to_string());
                }
                let names = clause.variables().map(|one| one.text.clone());
                match &clause.content {
                    Content::List {
                        operator: Some(operator),
                        modifiers,
                        ..
                    } => {
                        if !modifiers.is_empty() {
                            return None;
                        }
                        let operator = operator.text.trim();
                        self.sums
                            .extend(names.map(|name| (operator.to_string(), name)));
                    }
                    // That of the last iteration that sets it.
                    Content::List { modifiers, .. } if !modifiers.is_empty() => return None,
                    _ if clause.kind == C::Private => self.private.extend(names),
                    _ if clause.kind == C::Lastprivate => self.last.extend(names),
                    _ => self.first.extend(names),
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// What has the value of the last iteration afterwards, and none before.
    pub fn only_last(&self) -> impl Iterator<Item = &String> {
        let last = self.last.iter();
        last.filter(|name| !self.first.contains(name))
    }

    /// Whether a variable is private or shared by name.
    pub fn names(&self, variable: &str) -> bool {
        let mut all = self.private.iter().chain(&self.shared);
        all.any(|name| name == variable)
    }

    /// The schedule, where `count` is the number of iterations.
    pub fn schedule(&self, count: &str) -> Option<Schedule> {
        let Some((kind, chunk)) = &self.schedule else {
            return Some(Schedule::Static);
        };
        match (kind.as_str(), chunk) {
            ("static", None) | ("auto", _) => Some(Schedule::Static),
            ("static", Some(chunk)) => Some(Schedule::Turns(chunk.clone())),
            ("dynamic", chunk) => Some(Schedule::Dynamic(
                chunk.clone().unwrap_or_else(|| "1".to_string()),
            )),
            ("guided", None) => Some(Schedule::Dynamic(format!("{count} / 1024"))),
            ("guided", Some(chunk)) => Some(Schedule::Dynamic(format!(
                "{count} / 1024 > ({chunk}) ? {count} / 1024 : ({chunk})"
            ))),
            ("runtime", None) => Some(Schedule::Runtime),
            _ => None,
        }
    }
}
