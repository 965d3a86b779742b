//! What pointers may point to.
//!
//! `golden/points-to/*.c` carry expectations beside their lines:
//!
//! ```text
//! p = &x;      /* must: p → x */  /* should: p ↛ y */
//! ```
//!
//! `must` is soundness: what may happen has to be there. `should` is precision: what cannot happen should not. The words:
//! `A → B, C` (a pointer stored in A may point to B and to C), `A ↛ B`, `single A`, `several A` (of the object there is
//! never more than one at a time, or there may be). Names are those of `--emit points-to`; `heap@7[]` is a block that
//! line 7 of this file allocates, `?` memory that we do not see. Locals are those of the function around the line.

use std::path::{Path, PathBuf};

use cccp_precompiler::analysis::lowered;
use cccp_precompiler::analysis::memory::{CellId, ObjectKind};
use cccp_precompiler::analysis::points_to::PointsTo;
use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::dataflow::steps::{RoutineId, Steps};
use cccp_precompiler::program::{Program, load};
use cccp_precompiler::source::Preprocessor;

struct Case {
    program: Program,
    steps: Steps,
    points_to: PointsTo,
    file: String,
}

impl Case {
    fn new(path: &Path) -> Case {
        let paths = [path.to_str().expect("UTF-8").to_string()];
        let preprocessor = Preprocessor::default();
        let (program, diagnostics) = load(&paths, &preprocessor, |_| {});
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let catalogue = Catalogue::builtin();
        let steps = lowered(&program, &catalogue);
        let points_to = PointsTo::of(&program, &steps, &catalogue);
        let file = path.file_name().expect("a name").to_string_lossy();
        Case {
            file: file.into_owned(),
            program,
            steps,
            points_to,
        }
    }

    /// The function around a line.
    fn routine(&self, line: usize) -> Option<RoutineId> {
        self.steps.routine_ids().find(|id| {
            let at = self.steps.routine(*id).function;
            let unit = &self.program.units[at.unit];
            let span = unit.function(at.function).span;
            let (_, first) = unit.file.origin_text(span.start);
            let (_, last) = unit.file.origin_text(span.end.saturating_sub(1));
            (first..=last).contains(&line)
        })
    }

    /// All cells of that name.
    fn cells(&self, name: &str, line: usize) -> Vec<CellId> {
        let name = match name.strip_prefix("heap@") {
            Some(rest) if rest.starts_with(|first: char| first.is_ascii_digit()) => {
                format!("heap@{}:{rest}", self.file)
            }
            _ if name == "?" => "<unknown>".to_string(),
            _ => name.to_string(),
        };
        let here = self.routine(line);
        let memory = &self.points_to.memory;
        let named: Vec<CellId> = (0..memory.cells.len() as u32)
            .map(CellId)
            .filter(|cell| self.points_to.cell_name(*cell) == name)
            .collect();
        let owner = |cell: &CellId| {
            let object = memory.cells[cell.0 as usize].object;
            match memory.objects[object.0 as usize].kind {
                ObjectKind::Variable(id) => self.steps.variable(id).owner,
                _ => None,
            }
        };
        let local: Vec<CellId> = named
            .iter()
            .copied()
            .filter(|cell| owner(cell).is_some() && owner(cell) == here)
            .collect();
        if !local.is_empty() {
            return local;
        }
        let global: Vec<CellId> = named
            .iter()
            .copied()
            .filter(|cell| owner(cell).is_none())
            .collect();
        if global.is_empty() { named } else { global }
    }

    /// Whether what is expected holds; an error when it cannot be understood.
    fn holds(&self, claim: &str, line: usize) -> Result<bool, String> {
        let known = |name: &str| {
            let cells = self.cells(name.trim(), line);
            if cells.is_empty() {
                let start = name.trim().split('@').next().unwrap_or("");
                let all = (0..self.points_to.memory.cells.len() as u32)
                    .map(|cell| self.points_to.cell_name(CellId(cell)))
                    .filter(|one| one.starts_with(start))
                    .collect::<Vec<_>>();
                return Err(format!("nothing is called `{}`; {all:?}", name.trim()));
            }
            Ok(cells)
        };
        for (word, single) in [("single ", true), ("several ", false)] {
            if let Some(name) = claim.strip_prefix(word) {
                let memory = &self.points_to.memory;
                return Ok(known(name)?.iter().all(|cell| {
                    let object = memory.cells[cell.0 as usize].object;
                    memory.objects[object.0 as usize].is_single == single
                }));
            }
        }
        let (arrow, wanted) = if claim.contains('↛') {
            ('↛', false)
        } else {
            ('→', true)
        };
        let (from, to) = claim.split_once(arrow).ok_or("no arrow")?;
        let from = known(from)?;
        for name in to.split(',') {
            // What is not there at all is not pointed to.
            let to = match known(name) {
                Ok(cells) => cells,
                Err(_) if !wanted => continue,
                Err(error) => return Err(error),
            };
            let found = from.iter().any(|cell| {
                let mut targets = self.points_to.pointees(*cell);
                targets.any(|target| to.contains(&target))
            });
            if found != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn expectations(text: &str) -> Vec<(usize, String, bool)> {
    let mut all = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for comment in line.split("/*").skip(1) {
            let comment = comment.split("*/").next().unwrap_or("").trim();
            for (word, must) in [("must:", true), ("should:", false)] {
                if let Some(claims) = comment.strip_prefix(word) {
                    for claim in claims.split(';') {
                        all.push((index + 1, claim.trim().to_string(), must));
                    }
                }
            }
        }
    }
    all
}

fn check(kind: bool) {
    let entries = std::fs::read_dir("tests/golden/points-to").expect("the cases");
    let mut paths: Vec<PathBuf> = entries.map(|one| one.expect("a case").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|one| one == "c"));
    paths.sort();
    let mut faults = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("UTF-8");
        let case = Case::new(&path);
        for (line, claim, must) in expectations(&text) {
            if must != kind {
                continue;
            }
            match case.holds(&claim, line) {
                Ok(true) => {}
                Ok(false) => faults.push(format!("{}:{line}: {claim}", path.display())),
                Err(error) => faults.push(format!("{}:{line}: {claim}: {error}", path.display())),
            }
        }
    }
    assert!(faults.is_empty(), "not so:\n{}", faults.join("\n"));
}

#[test]
fn everything_that_may_happen_is_there() {
    check(true);
}

#[test]
fn what_cannot_happen_is_not_there() {
    check(false);
}
