//! What pointers point to whose own type does not say it: `void *`, and pointers to a struct that others begin like.
//!
//! In: a program, and what its pointers may point to. Out: for such a pointer the types of the blocks that it may lead to,
//! when the length of a block tells which of them it is; otherwise the reason why nobody can say it.
//!
//! ```text
//! struct shape { int kind; };  struct circle { int kind; double r; };  struct figure { struct shape *shape; void *more; };
//! f->shape = malloc(sizeof(struct circle));  f->more = calloc(n, sizeof(double));
//!                              f->shape leads to one `struct circle`, f->more to `double`s
//! ```
//!
//! Where lengths do not tell them apart, the calls that allocate such blocks have to say what they hold.
//!
//! Errors fall on the side of a reason. Pointers to a struct keep the type that they have where not all is known.
//!
//! Not here: what a restart does with the blocks (`plan`).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::analysis::followed::followed;
use crate::analysis::lowered;
use crate::analysis::memory::{CellId, LayoutId, ObjectId, ObjectKind};
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::{Call, RoutineId, StepKind, Steps, TextPlace, TypeRef};
use crate::program::{Brings, Directive, IntegerKind, Program, TypeId, TypeKind, Unit};

/// Blocks of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Led {
    /// Of an element, in a unit that can spell it.
    pub ty: TypeRef,
    /// How descriptors spell it.
    pub name: String,
    /// How people call it.
    pub shown: String,
    /// A block holds one element; otherwise any number.
    pub is_one: bool,
}

/// What a pointer points to: types of blocks, or why nobody knows.
pub type Lead = Result<Vec<Led>, String>;

/// What the pointers of a program lead to.
#[derive(Debug, Default)]
pub struct Leads {
    /// By struct and member.
    members: BTreeMap<(String, String), Lead>,
    /// By the type of the pointer: of all pointers of that type together.
    targets: BTreeMap<String, Lead>,
    /// The calls that have to say what the blocks hold that they give.
    pub makers: BTreeMap<TextPlace, Maker>,
}

/// A call that gives blocks of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maker {
    /// What they hold.
    pub led: Led,
    /// The type of the call, when it is not `void *`.
    pub result: Option<String>,
}

/// What may be in some pointers.
#[derive(Clone, Debug, Default)]
struct Targets {
    blocks: BTreeSet<ObjectId>,
    /// Something that is no memory of the program.
    foreign: Option<&'static str>,
}

impl Targets {
    fn add(&mut self, other: &Targets) {
        self.blocks.extend(&other.blocks);
        self.foreign = self.foreign.or(other.foreign);
    }
}

impl Leads {
    /// Looks at a program. One in which nothing is followed is not looked at.
    pub fn of(program: &Program, catalogue: &Catalogue) -> Leads {
        if !follows(program) {
            return Leads::default();
        }
        let steps = lowered(program, catalogue);
        let points_to = PointsTo::of(program, &steps, catalogue);
        Looking {
            program,
            points_to: &points_to,
            followed: followed(program, &steps, &points_to),
            calls: calls(&steps),
            alike: alike(program, &points_to),
            steps: &steps,
            seen: HashMap::new(),
            makers: BTreeMap::new(),
        }
        .leads()
    }

    /// What a member of a struct leads to, by the spelling of the struct and the name of the member.
    pub fn of_member(&self, record: &str, member: &str) -> Option<&Lead> {
        let key = (record.to_string(), member.to_string());
        self.members.get(&key)
    }

    /// What pointers to a type lead to, by its spelling.
    pub fn of_target(&self, target: &str) -> Option<&Lead> {
        self.targets.get(target)
    }

    /// All types of blocks.
    pub fn all(&self) -> impl Iterator<Item = &Led> {
        let leads = self.members.values().chain(self.targets.values());
        leads.flatten().flatten()
    }
}

/// Whether some item brings all that can be reached.
fn follows(program: &Program) -> bool {
    let mut directives = program.units.iter().flat_map(|unit| &unit.directives);
    directives.any(|one| match &one.directive {
        Directive::Register { items } => {
            let mut items = items.iter();
            items.any(|item| item.brings == Brings::Everything)
        }
        _ => false,
    })
}

/// The structs of each layout, and how people call them.
fn alike(program: &Program, points_to: &PointsTo) -> HashMap<LayoutId, BTreeMap<String, String>> {
    let mut alike: HashMap<LayoutId, BTreeMap<String, String>> = HashMap::new();
    for (ty, layout) in points_to.types() {
        let unit = &program.units[ty.unit];
        if matches!(unit.kind(ty.id), TypeKind::Record(_))
            && let Ok(name) = unit.spell_copied(ty.id, "")
            && let Ok(shown) = unit.spell_shown(ty.id)
        {
            alike.entry(layout).or_default().insert(name, shown);
        }
    }
    alike
}

/// The calls of a program that stand alone at their places.
fn calls(steps: &Steps) -> HashMap<TextPlace, Option<(RoutineId, &Call)>> {
    let mut calls = HashMap::new();
    for routine in steps.routine_ids() {
        let one = steps.routine(routine);
        let unit = one.function.unit;
        one.walk(&mut |step| {
            if let StepKind::Call(call) = &step.kind {
                let span = step.span;
                let known = calls.entry(TextPlace { unit, span });
                known
                    .and_modify(|known| *known = None)
                    .or_insert(Some((routine, &**call)));
            }
        });
    }
    calls
}

/// Why the type of a pointer does not say all about the blocks that it leads to.
enum Loose {
    /// It is `void *`, or other structs may begin like its struct.
    Any,
    /// A number may lie in the middle of a block.
    Number,
}

/// Structs whose members some file does not know. Memory has the types of the file that allocates it, and the item that reaches
/// it may stand in another one: so it does not count which file the pointer is of.
fn hidden(program: &Program) -> BTreeSet<String> {
    let mut hidden = BTreeSet::new();
    for unit in &program.units {
        let all = (0..unit.types.len()).map(TypeId);
        let records = all.filter(|ty| matches!(unit.kind(*ty), TypeKind::Record(_)));
        let unknown = records.filter(|ty| !unit.is_complete(*ty));
        hidden.extend(unknown.filter_map(|ty| unit.spell_copied(ty, "").ok()));
    }
    hidden
}

struct Looking<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    followed: BTreeSet<ObjectId>,
    steps: &'a Steps,
    calls: HashMap<TextPlace, Option<(RoutineId, &'a Call)>>,
    makers: BTreeMap<TextPlace, Maker>,
    /// Structs that look alike, and how people call them: what their pointers point to is not told apart.
    alike: HashMap<LayoutId, BTreeMap<String, String>>,
    /// What is in cells with the same pointers.
    seen: HashMap<u32, Targets>,
}

impl Looking<'_> {
    fn leads(mut self) -> Leads {
        let memory = &self.points_to.memory;
        let mut members: BTreeMap<(String, String), (Targets, String)> = BTreeMap::new();
        let mut targets: BTreeMap<String, Targets> = BTreeMap::new();
        let mut numbers: BTreeSet<String> = BTreeSet::new();
        let opaque = hidden(self.program);
        // Pointers of any type may be in memory that is used as several types.
        let mut stray = Targets::default();
        for index in 0..memory.cells.len() {
            let cell = CellId(index as u32);
            let one = &memory.cells[index];
            if !self.followed.contains(&one.object) {
                continue;
            }
            let object = &memory.objects[one.object.0 as usize];
            if object.collapsed.is_some() {
                stray.add(&self.targets(cell));
                continue;
            }
            let Some((target, loose)) = one.ty.and_then(|ty| self.loose_target(ty)) else {
                continue;
            };
            match loose {
                Loose::Number => _ = numbers.insert(target.clone()),
                Loose::Any => {}
            }
            let found = self.targets(cell);
            targets.entry(target.clone()).or_default().add(&found);
            if let Some(key) = object.ty.and_then(|ty| self.member(ty, &one.path)) {
                let known = members.entry(key).or_insert((Targets::default(), target));
                known.0.add(&found);
            }
        }
        let mut lead = |target: &str, mut found: Targets| {
            if target == "void" {
                found.add(&stray);
                return Some(self.lead(&found));
            }
            // A number in the middle of a block may be all that is pointed to: nothing else tells that there are only numbers.
            let is_number = numbers.contains(target);
            let is_plain = found.blocks.iter().all(|object| {
                let led = self.led(*object);
                led.is_ok_and(|led| led.name == target)
            });
            let says_more = is_plain == is_number || is_plain && opaque.contains(target);
            // A pointer that is NULL in every run leads to nothing, whatever its struct is.
            let is_told = !found.blocks.is_empty() || opaque.contains(target);
            match says_more && is_told {
                true => self.lead(&found).ok().map(Ok),
                false => None,
            }
        };
        let members = members.into_iter();
        let members: BTreeMap<_, _> = members
            .filter_map(|(key, (found, target))| Some((key, lead(&target, found)?)))
            .collect();
        let targets = targets.into_iter();
        let targets: BTreeMap<_, _> = targets
            .filter_map(|(target, found)| {
                let lead = lead(&target, found)?;
                Some((target, lead))
            })
            .collect();
        Leads {
            members,
            targets,
            makers: self.makers,
        }
    }

    /// What a pointer type leads to, when that may be something else, the middle of something, or known in other files only.
    fn loose_target(&self, ty: TypeRef) -> Option<(String, Loose)> {
        let unit = &self.program.units[ty.unit];
        let TypeKind::Pointer(target) = unit.kind(ty.id) else {
            return None;
        };
        let loose = match unit.kind(*target) {
            TypeKind::Void | TypeKind::Record(_) => Loose::Any,
            // Text may be anything.
            TypeKind::Integer(
                IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar,
            ) => return None,
            TypeKind::Float(_) | TypeKind::Integer(_) => Loose::Number,
            _ => return None,
        };
        let name = unit.spell_copied(*target, "").ok()?;
        Some((name, loose))
    }

    /// What is in a cell.
    fn targets(&mut self, cell: CellId) -> Targets {
        let number = self.points_to.pointees_number(cell);
        if let Some(known) = self.seen.get(&number) {
            return known.clone();
        }
        let memory = &self.points_to.memory;
        let mut found = Targets::default();
        for target in self.points_to.pointees(cell) {
            let object = memory.cells[target.0 as usize].object;
            match &memory.objects[object.0 as usize].kind {
                ObjectKind::Heap { .. } => {
                    found.blocks.insert(object);
                }
                ObjectKind::Variable(_) | ObjectKind::Text(_) => {}
                ObjectKind::Function(_) => {
                    found.foreign = Some("it may hold the address of a function");
                }
                ObjectKind::Library(_) | ObjectKind::Unknown => {
                    found.foreign = Some(
                        "it may point to memory of a library or of code that is not among the files given",
                    );
                }
            }
        }
        self.seen.insert(number, found.clone());
        found
    }

    /// The struct and the member in which a cell of an object lies: `.at[].x` is `x` of the struct of which `at` is made.
    fn member(&self, ty: TypeRef, path: &str) -> Option<(String, String)> {
        let unit = &self.program.units[ty.unit];
        let mut record = element(unit, ty.id);
        let mut found = None;
        for name in path.split('.').map(|step| step.trim_end_matches("[]")) {
            if name.is_empty() {
                continue;
            }
            let holder = unit.spell_copied(record, "").ok();
            let member = find_member(unit, record, name)?;
            found = holder.map(|holder| (holder, name.to_string()));
            record = element(unit, member);
        }
        found
    }

    /// The types of the blocks, when their lengths tell them apart, or the calls that give them.
    fn lead(&mut self, found: &Targets) -> Lead {
        if let Some(reason) = found.foreign {
            return Err(reason.to_string());
        }
        let mut all: Vec<(Led, ObjectId)> = Vec::new();
        for &object in &found.blocks {
            let led = self.led(object)?;
            if !all
                .iter()
                .any(|(known, _)| (&known.name, known.is_one) == (&led.name, led.is_one))
            {
                all.push((led, object));
            }
        }
        if let Some([one, other]) = self.equally_long(&all) {
            let mut makers = Vec::new();
            for &object in &found.blocks {
                let led = self.led(object)?;
                let maker = self.maker(object, &led);
                let maker = maker.ok_or_else(|| {
                    let describe = |(led, at): &(Led, ObjectId)| {
                        format!("`{}` ({})", led.shown, self.place(*at))
                    };
                    format!(
                        "it may point to {} and to {}, which can be equally long, and no call says which of them it gives",
                        describe(one),
                        describe(other)
                    )
                })?;
                makers.push(maker);
            }
            self.makers.extend(makers);
        }
        // Any number holds one as well.
        let many: BTreeSet<String> = all
            .iter()
            .filter(|(led, _)| !led.is_one)
            .map(|(led, _)| led.name.clone())
            .collect();
        all.retain(|(led, _)| !led.is_one || !many.contains(&led.name));
        let mut all: Vec<Led> = all.into_iter().map(|(led, _)| led).collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(all)
    }

    /// What blocks hold.
    fn led(&self, object: ObjectId) -> Result<Led, String> {
        let one = &self.points_to.memory.objects[object.0 as usize];
        let place = self.place(object);
        if let Some(collapse) = &one.collapsed {
            let file = &self.program.units[collapse.at.unit].file;
            let (path, line) = file.origin_text(collapse.at.span.start);
            return Err(format!(
                "it may point to memory ({place}) that is used as several types, as `{}` at {path}:{line}",
                collapse.used_as
            ));
        }
        let unknown =
            || format!("it is unknown what the memory holds that it may point to ({place})");
        let ty = one.ty.ok_or_else(unknown)?;
        let unit = &self.program.units[ty.unit];
        let id = element(unit, ty.id);
        if !unit.is_complete(id) {
            return Err(unknown());
        }
        let name = unit.spell_copied(id, "").map_err(|reason| {
            format!(
                "it may point to memory ({place}) that cannot be described: {}",
                reason.reason()
            )
        })?;
        let others = self.alike.get(&self.points_to.element(object).0);
        if let Some(others) = others.filter(|others| others.len() > 1) {
            let names: Vec<String> = others.values().map(|name| format!("`{name}`")).collect();
            return Err(format!(
                "it may point to memory ({place}) that is one of {}, which look alike",
                names.join(" and ")
            ));
        }
        let is_array = matches!(unit.kind(ty.id), TypeKind::Array { .. });
        Ok(Led {
            ty: TypeRef { id, ..ty },
            shown: unit.spell_shown(id).unwrap_or_else(|_| name.clone()),
            name,
            is_one: !is_array && self.points_to.holds_one(object),
        })
    }

    /// Two kinds of blocks that their lengths do not tell apart.
    fn equally_long<'l>(&self, all: &'l [(Led, ObjectId)]) -> Option<[&'l (Led, ObjectId); 2]> {
        all.iter().enumerate().find_map(|(index, one)| {
            let mut others = all[index + 1..].iter();
            let other = others.find(|other| {
                one.0.name != other.0.name
                    && self.may_be_as_long((&one.0, one.1), (&other.0, other.1))
            })?;
            Some([one, other])
        })
    }

    /// The innermost call that gives a block, and no blocks of other types.
    fn maker(&self, object: ObjectId, led: &Led) -> Option<(TextPlace, Maker)> {
        let memory = &self.points_to.memory;
        let ObjectKind::Heap { call, through, .. } = &memory.objects[object.0 as usize].kind else {
            return None;
        };
        let places = [call].into_iter().chain(through.iter().rev());
        places.copied().find_map(|place| {
            let (routine, call) = (*self.calls.get(&place)?)?;
            let unit = &self.program.units[place.unit];
            let function = self.steps.routine(routine).function;
            let mut gives = false;
            let mut others = false;
            for target in self.points_to.targets(routine, call.result) {
                let found = memory.cells[target.0 as usize].object;
                gives |= found == object;
                others |= !matches!(
                    memory.objects[found.0 as usize].kind,
                    ObjectKind::Heap { .. }
                ) || !self.led(found).is_ok_and(|other| other.name == led.name);
            }
            if !gives || others || !unit.function(function.function).in_user_file {
                return None;
            }
            let ty = self.steps.routine(routine).value(call.result).ty;
            let TypeKind::Pointer(target) = unit.kind(ty.id) else {
                return None;
            };
            let result = match unit.kind(*target) {
                TypeKind::Void => None,
                _ => Some(unit.spell(ty.id, "").ok()?),
            };
            let led = led.clone();
            Some((place, Maker { led, result }))
        })
    }

    /// Whether blocks of two types may have the same length.
    fn may_be_as_long(&self, one: (&Led, ObjectId), other: (&Led, ObjectId)) -> bool {
        let size = |of: ObjectId| self.points_to.element(of).1.filter(|size| *size > 0);
        let (Some(first), Some(second)) = (size(one.1), size(other.1)) else {
            return true;
        };
        match (one.0.is_one, other.0.is_one) {
            (true, true) => first == second,
            (true, false) => first.is_multiple_of(second),
            (false, true) => second.is_multiple_of(first),
            (false, false) => true,
        }
    }

    /// Where memory is allocated, for people.
    fn place(&self, object: ObjectId) -> String {
        let one = &self.points_to.memory.objects[object.0 as usize];
        let ObjectKind::Heap { call, through, .. } = &one.kind else {
            return String::new();
        };
        let TextPlace { unit, span } = through.last().unwrap_or(call);
        let (path, line) = self.program.units[*unit].file.origin_text(span.start);
        format!("{path}:{line}")
    }
}

/// What an array consists of.
pub fn element(unit: &Unit, mut ty: TypeId) -> TypeId {
    while let TypeKind::Array { element, .. } = unit.kind(ty) {
        ty = *element;
    }
    ty
}

/// The type of a member, also of an anonymous struct in it.
pub fn find_member(unit: &Unit, ty: TypeId, name: &str) -> Option<TypeId> {
    let TypeKind::Record(record) = unit.kind(ty) else {
        return None;
    };
    let members = unit.records[record.0].members.as_ref()?;
    members.iter().find_map(|member| match &member.name {
        Some(own) => (own == name).then_some(member.ty),
        None => find_member(unit, member.ty, name),
    })
}
