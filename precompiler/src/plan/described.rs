//! Types of blocks to which pointers of other types lead, described where they can be spelt.
//!
//! In: what pointers point to (`analysis::leads`). Out: for each file the descriptors that it has for all others, and for
//! each such type how a descriptor of a pointer names it. A struct may be known to one file only, and the item that reaches
//! it stand in another one.

use std::collections::{BTreeMap, BTreeSet};

use super::data::Step;
use super::flatten::flatten;
use super::raw::RawEdit;
use super::table::{Shape, TypeTable};
use super::types::{Purpose, Reason, Shapes};
use crate::analysis::leads::{Lead, Leads, Led};
use crate::analysis::optional::Optional;
use crate::analysis::suspects::Suspect;
use crate::catalog::Catalogue;
use crate::program::{Program, Unit};
use crate::source::Span;

/// Descriptors that a file has for others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DescribedUnit {
    /// Unions among them that may hold pointers.
    pub suspects: BTreeSet<Suspect>,
    /// All types.
    pub table: TypeTable,
    /// Those that others name: by which name, and which they are.
    pub roots: Vec<(String, usize)>,
}

/// What there is to know about blocks of a program.
#[derive(Debug, Default)]
pub struct Described {
    leads: Leads,
    /// By unit and spelling.
    shapes: BTreeMap<(usize, String), Result<Shape, Reason>>,
    /// By unit.
    pub units: Vec<DescribedUnit>,
}

impl Described {
    /// Describes the types of all blocks.
    pub fn of(
        program: &Program,
        catalogue: &Catalogue,
        requests_end: bool,
        optional: &Optional,
    ) -> Described {
        let mut described = Described {
            leads: Leads::of(program, catalogue),
            ..Described::default()
        };
        let all: Vec<Led> = described.leads.all().cloned().collect();
        for led in &all {
            let nothing = Described::default();
            let mut shapes = Shapes::new(catalogue, true, requests_end, optional, &nothing);
            let unit = &program.units[led.ty.unit];
            let shape = shapes.of(unit, led.ty.id, Purpose::Item, Some(&led.name));
            let shape = shape.map(|shape| match shape {
                Shape::Named(word) => Shape::Named(word),
                _ => Shape::Elsewhere(symbol(&unit.file.path, &led.name)),
            });
            let key = (led.ty.unit, led.name.clone());
            described.shapes.insert(key, shape);
        }
        let units = (0..program.units.len()).map(|index| {
            let unit = &program.units[index];
            let mut shapes = Shapes::new(catalogue, true, requests_end, optional, &described);
            let mut roots: Vec<(String, usize)> = Vec::new();
            for led in all.iter().filter(|led| led.ty.unit == index) {
                let shape = shapes.of(unit, led.ty.id, Purpose::Item, Some(&led.name));
                if let (Ok(Shape::Linked(entry)), Some(Ok(Shape::Elsewhere(name)))) =
                    (shape, described.shapes.get(&(index, led.name.clone())))
                    && !roots.iter().any(|(known, _)| known == name)
                {
                    roots.push((name.clone(), entry));
                }
            }
            shapes.link(unit);
            DescribedUnit {
                suspects: shapes.suspects,
                table: shapes.table,
                roots,
            }
        });
        described.units = units.collect();
        described
    }

    /// The names of all descriptors that files have for others.
    pub fn names(&self) -> Vec<String> {
        let roots = self.units.iter().flat_map(|unit| &unit.roots);
        roots.map(|(name, _)| name.clone()).collect()
    }

    /// A type that some file describes.
    pub fn find(&self, name: &str) -> Option<(&TypeTable, Shape)> {
        self.units.iter().find_map(|unit| {
            let root = unit.roots.iter().find(|(own, _)| own == name)?;
            Some((&unit.table, Shape::Linked(root.1)))
        })
    }

    /// The blocks that a member of a struct leads to; none when its own type says what it leads to.
    pub fn of_member(&self, record: &str, member: &str) -> Option<Blocks> {
        Some(self.blocks(self.leads.of_member(record, member)?))
    }

    /// The same for pointers to a type.
    pub fn of_target(&self, target: &str) -> Option<Blocks> {
        Some(self.blocks(self.leads.of_target(target)?))
    }

    /// The calls of a function that say what the blocks hold that they give.
    pub fn makers(&self, unit: &Unit, (index, body): (usize, Span)) -> Vec<RawEdit> {
        let all = self.leads.makers.iter();
        let own = all.filter(|(place, _)| place.unit == index && body.contains(place.span));
        own.filter_map(|(place, maker)| {
            let key = (maker.led.ty.unit, maker.led.name.clone());
            let shape = match self.shapes.get(&key)? {
                Ok(Shape::Named(word)) => format!("cccp_type_{word}"),
                Ok(Shape::Elsewhere(name)) => name.clone(),
                _ => return None,
            };
            // Not as it is written: comments and macros in it would not mean the same there.
            let call = flatten(unit.file.preprocessed_text(place.span));
            let result = maker.result.as_ref().map(|ty| format!("({ty})"));
            Some(RawEdit {
                span: place.span,
                place: unit.file.place(place.span),
                order: 0,
                steps: vec![Step::Text(format!(
                    "({}cccp_holds({call}, &{shape}))",
                    result.unwrap_or_default()
                ))],
            })
        })
        .collect()
    }

    fn blocks(&self, lead: &Lead) -> Blocks {
        let all = lead.as_ref().map_err(Clone::clone)?;
        all.iter()
            .map(|led| {
                let key = (led.ty.unit, led.name.clone());
                let shape = self.shapes.get(&key).cloned();
                let shape = shape.unwrap_or_else(|| Err("it is not described".to_string()));
                let shape = shape.map_err(|reason| {
                    format!(
                        "it may point to `{}`, which cannot be saved: {reason}",
                        led.shown
                    )
                })?;
                Ok((shape, led.is_one))
            })
            .collect()
    }
}

/// The types of the blocks that a pointer points to, and whether each holds one element; or why nobody can say them.
pub type Blocks = Result<Vec<(Shape, bool)>, Reason>;

/// How a descriptor is called: FNV-1a of where the type is and how it is spelt.
fn symbol(path: &str, spelling: &str) -> String {
    let bytes = path.bytes().chain([0]).chain(spelling.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("cccp_block_{hash:016x}")
}
