//! The lines that a loop becomes.

use cccp_grammar::openmp::DirectiveName;

use super::clauses::{Clauses, Schedule};
use super::loops::Marks;
use super::nest::{Level, nest};
use crate::analysis::Analysed;
use crate::auto::insert::{At, Insertion, Replacement};
use crate::auto::proposal::Proposal;
use crate::program::{Construct, Statement, StatementKind, TypeKind, Unit};
use crate::source::SourceRange;

/// Between two strips lies one checkpoint; a share has at most about so many strips.
const STRIPS: u32 = 65536;

/// A loop, as its surroundings are.
pub(super) struct Site<'a> {
    pub facts: &'a Analysed<'a>,
    pub unit: usize,
    /// The parallel region around it in the same function.
    pub region: Option<&'a Statement>,
    pub marks: Marks,
}

/// Lines and closing lines, from the outside in.
#[derive(Default)]
struct Text {
    lines: Vec<String>,
    after: Vec<String>,
}

impl Text {
    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    fn register(&mut self, marks: Marks, names: &[String]) {
        if marks == Marks::ByHand && !names.is_empty() {
            self.line(format!("#pragma cccp register({})", names.join(", ")));
        }
    }
}

/// What a variable of a clause is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Scalar,
    Struct,
    Array,
}

impl Kind {
    /// The declaration of a variable with the value of another one.
    fn copied(self, declaration: &str, to: &str, from: &str) -> String {
        match self {
            Kind::Scalar | Kind::Struct => format!("{declaration} = {from};"),
            Kind::Array => format!("{declaration}; {}", self.set(to, from)),
        }
    }

    /// A variable is set to another one.
    fn set(self, to: &str, from: &str) -> String {
        match self {
            Kind::Scalar | Kind::Struct => format!("{to} = {from};"),
            Kind::Array => format!("__builtin_memcpy({to}, {from}, sizeof {to});"),
        }
    }
}

impl Site<'_> {
    fn file_unit(&self) -> &Unit {
        &self.facts.program.units[self.unit]
    }

    /// Writes a loop out. False when that cannot be done.
    pub(super) fn write(&self, statement: &Statement, changes: &mut Proposal) -> bool {
        self.written(statement, changes).is_some()
    }

    fn written(&self, statement: &Statement, changes: &mut Proposal) -> Option<()> {
        let unit = self.file_unit();
        let constructs = &statement.openmp;
        let is_team = constructs.iter().any(|one| one.is_parallel());
        let clauses = Clauses::of(unit, constructs, is_team)?;
        if !is_plain_inside(statement) {
            return None;
        }
        let place = statement.place?;
        let levels = nest(unit, statement, clauses.depth.unwrap_or(1))?;
        let number = unit.file.lines.of(unit.file.line_of(place.start));
        let name = |what: &str| format!("cccp_{what}{number}");
        let (count, at, end) = (name("count"), name("at"), name("end"));
        let (me, team) = (name("me"), name("team"));
        let schedule = clauses.schedule(&count)?;
        let first = clauses
            .first
            .iter()
            .chain(clauses.sums.iter().map(|(_, name)| name));
        if first
            .into_iter()
            .any(|name| levels.iter().any(|one| one.name == name))
        {
            return None;
        }

        let mut text = Text::default();
        text.line("{");
        text.after.push("}".to_string());
        let mut shared = self.values(&levels, number, &mut text);
        if let Schedule::Turns(chunk) | Schedule::Dynamic(chunk) = &schedule {
            let chunk = format!("(long long)({chunk})");
            text.line(format!(
                "long long {} = {chunk} > 0 ? {chunk} : 1;",
                name("chunk")
            ));
            shared.push(name("chunk"));
        }
        if let Schedule::Runtime = &schedule {
            self.asked(statement, number, &mut text)?;
            shared.extend([name("chunk"), name("dynamic")]);
        }
        if self.marks == Marks::Inferred {
            text.line(format!(
                "long long {} = {count} / {STRIPS} + 1;",
                name("strip")
            ));
            shared.push(name("strip"));
        }
        let next = name("next");
        if schedule.may_count() && is_team {
            text.line(format!("long long {next} = 0;"));
            shared.push(next.clone());
        }
        text.register(self.marks, &shared);
        if is_team {
            let listed = |one: &&Level| !one.declares && !clauses.names(one.name);
            let own = levels
                .iter()
                .filter(listed)
                .map(|one| format!("private({})", one.name));
            let mut all = clauses.of_region.clone();
            all.extend(own);
            all.push(format!("shared({})", shared.join(", ")));
            text.line(format!("#pragma omp parallel {}", all.join(" ")));
            text.line("{");
            text.after.push("}".to_string());
        } else if schedule.may_count() {
            self.counter(&next, changes)?;
            text.line("#pragma omp single");
            text.line(format!("{next} = 0;"));
        }

        // What each thread has.
        text.line("extern int omp_get_thread_num(void), omp_get_num_threads(void);");
        text.line(format!(
            "int {me} = omp_get_thread_num(), {team} = omp_get_num_threads();"
        ));
        let mut own = vec![me.clone(), team.clone(), at.clone(), end.clone()];
        let base = name("base");
        let begin = format!(
            "{at} = {count} / {team} * {me} + ({me} < {count} % {team} ? {me} : {count} % {team})"
        );
        let length = format!("{count} / {team} + ({me} < {count} % {team})");
        match &schedule {
            Schedule::Static => {
                text.line(format!("long long {begin};"));
                text.line(format!("long long {end} = {at} + {length};"));
            }
            Schedule::Turns(_) | Schedule::Runtime => {
                let (chunk, dynamic) = (name("chunk"), name("dynamic"));
                text.line(format!(
                    "long long {at} = 0, {end} = 0, {base} = ({me} - {team}) * {chunk};"
                ));
                own.push(base.clone());
                if let Schedule::Runtime = &schedule {
                    text.line(format!(
                        "if (!{dynamic} && {chunk} == 0) {{ {begin}; {end} = {at} + {length}; {base} = {count}; }}"
                    ));
                }
            }
            Schedule::Dynamic(_) => text.line(format!("long long {at} = 0, {end} = 0;")),
        }
        let is_inner = !is_team;
        if !clauses.last.is_empty() {
            text.line(format!("int {} = 0;", name("last")));
            own.push(name("last"));
        }
        if is_inner {
            self.copies(&clauses, &levels, number, statement, &mut text, &mut own)?;
        } else {
            self.last_copies(&clauses, &levels, number, statement, &mut text, &mut own)?;
            let is_inside = |one: &&Level| match one.declares {
                true => levels.len() > 1,
                // A thread's own all the same.
                false => clauses.shared.iter().any(|name| name == one.name),
            };
            for one in levels.iter().filter(is_inside) {
                text.line(format!("{};", one.declaration));
            }
        }
        text.register(self.marks, &own);
        self.turns(&schedule, number, &mut text);
        let stop = match self.marks {
            Marks::Inferred => {
                let (stop, strip) = (name("stop"), name("strip"));
                text.line(format!(
                    "long long {stop} = {end} - {at} > {strip} ? {at} + {strip} : {end};"
                ));
                stop
            }
            Marks::ByHand | Marks::Completed => end,
        };
        let waits = is_inner && (!clauses.nowait || schedule.may_count());
        let kind = |one: &String| declared(unit, statement, one, one, "").map(|(kind, _)| kind);
        let kinds: Option<Vec<Kind>> = clauses.last.iter().map(kind).collect();
        self.ends(
            &clauses,
            &levels,
            (number, &kinds?),
            is_inner,
            waits,
            &mut text,
        );
        self.heads(&levels, number, &stop, changes);
        for one in constructs {
            self.replace(one.place?, "", changes);
        }
        let lines = text.lines;
        let (at, order) = (At::Before(place.start), 0);
        changes.add(self.unit, [Insertion { at, order, lines }]);
        let (at, lines) = (At::After(place.end), text.after);
        changes.add(self.unit, [Insertion { at, order, lines }]);
        Some(())
    }

    /// How OpenMP shares out the loop now: from a counter or not, and how many iterations at a time; 0 is one share for each thread.
    fn asked(&self, statement: &Statement, number: usize, text: &mut Text) -> Option<()> {
        let name = |what: &str| format!("cccp_{what}{number}");
        let (count, dynamic, chunk) = (name("count"), name("dynamic"), name("chunk"));
        let (kind, set) = (name("kind"), name("set"));
        let known = |name: &str| {
            let (unit, at) = (self.file_unit(), statement.span.start);
            unit.lookup(statement.scope, name, at).is_some()
        };
        text.line(format!("int {dynamic}; long long {chunk}; {{"));
        // <omp.h> names the type; without it nothing does.
        match (known("omp_get_schedule"), known("omp_sched_t")) {
            (true, true) => text.line(format!("omp_sched_t {kind}; int {set};")),
            (false, false) => {
                text.line("extern void omp_get_schedule(unsigned *, int *);");
                text.line(format!("unsigned {kind}; int {set};"));
            }
            _ => return None,
        }
        text.line(format!("omp_get_schedule(&{kind}, &{set});"));
        // 2 and 3 are dynamic and guided; above may be a bit for the order.
        let is = |which: usize| format!("((unsigned){kind} & 255u) == {which}u");
        text.line(format!("{dynamic} = {} || {};", is(2), is(3)));
        text.line(format!(
            "{chunk} = {} && {count} / 1024 > {set} ? {count} / 1024 : {set} > 0 ? {set} : {dynamic};",
            is(3)
        ));
        text.line("}");
        Some(())
    }

    /// First values and numbers of iterations. The names.
    fn values(&self, levels: &[Level], number: usize, text: &mut Text) -> Vec<String> {
        let mut names = Vec::new();
        let total = format!("cccp_count{number}");
        for (index, level) in levels.iter().enumerate() {
            let first = first(number, index);
            text.line(format!("long long {first} = {};", level.first));
            let count = match levels.len() {
                1 => total.clone(),
                _ => counted(number, index),
            };
            text.line(format!("long long {count} = {};", level.count(&first)));
            names.extend([first, count]);
        }
        if levels.len() > 1 {
            let all: Vec<String> = (0..levels.len()).map(|one| counted(number, one)).collect();
            text.line(format!("long long {total} = {};", all.join(" * ")));
            names.push(total);
        }
        names
    }

    /// The counter from which threads take iterations, before the region around the loop.
    fn counter(&self, next: &str, changes: &mut Proposal) -> Option<()> {
        let region = self.region?;
        let (construct, place) = (region.openmp.first()?, region.place?);
        let lines = construct.place?;
        let mut before = Text::default();
        before.line(format!("{{ long long {next} = 0;"));
        before.register(self.marks, &[next.to_string()]);
        let order = 0;
        let (at, lines_before) = (At::Before(place.start), before.lines);
        changes.add(
            self.unit,
            [Insertion {
                at,
                order,
                lines: lines_before,
            }],
        );
        let at = At::After(place.end);
        changes.add(
            self.unit,
            [Insertion {
                at,
                order,
                lines: vec!["}".to_string()],
            }],
        );
        let shared = format!(" shared({next})");
        let mut known = changes.replacements.iter_mut();
        let known = known.find(|(unit, one)| *unit == self.unit && one.range == lines);
        match known {
            Some((_, one)) => one.text.insert_str(one.text.trim_end().len(), &shared),
            None => {
                let text = format!("#pragma omp {}{shared}", construct.text);
                self.replace(lines, &text, changes);
            }
        }
        Some(())
    }

    /// Copies of a loop in a region: its variables, and what its clauses make private.
    fn copies(
        &self,
        clauses: &Clauses,
        levels: &[Level],
        number: usize,
        statement: &Statement,
        text: &mut Text,
        own: &mut Vec<String>,
    ) -> Option<()> {
        let declared = |name: &str, as_name: &str, like: &str| {
            declared(self.file_unit(), statement, name, as_name, like)
        };
        let copy = |name: &str| copy_of(name, number);
        for name in &clauses.first {
            let (kind, declaration) = declared(name, &copy(name), name)?;
            text.line(kind.copied(&declaration, &copy(name), name));
            // It is set again at the end.
            if clauses.last.contains(name) {
                own.push(copy(name));
            }
        }
        for name in clauses.only_last() {
            text.line(format!("{};", declared(name, &copy(name), name)?.1));
        }
        for (operator, name) in &clauses.sums {
            let (kind, declaration) = declared(name, &copy(name), name)?;
            if kind != Kind::Scalar {
                return None;
            }
            text.line(format!("{declaration};"));
            if matches!(operator.as_str(), "max" | "min") {
                text.line("#pragma omp critical(cccp_reduction)");
                text.line(format!("{} = {name};", copy(name)));
            }
        }
        // Compilers warn of variables that are not read any more.
        for one in levels.iter().filter(|one| !one.declares) {
            text.line(format!("(void)sizeof {};", one.name));
        }
        text.line("{");
        for one in levels {
            let is_in_head = one.declares && levels.len() == 1;
            if !is_in_head && !clauses.private.iter().any(|name| name == one.name) {
                text.line(format!("{};", one.declaration));
            }
        }
        for name in &clauses.private {
            text.line(format!("{};", declared(name, name, name)?.1));
        }
        for name in clauses.only_last() {
            if levels.iter().all(|one| one.name != name) {
                text.line(format!("{};", declared(name, name, &copy(name))?.1));
            }
            own.push(name.clone());
        }
        for name in &clauses.first {
            let (kind, declaration) = declared(name, name, &copy(name))?;
            text.line(kind.copied(&declaration, name, &copy(name)));
            own.push(name.clone());
        }
        for (operator, name) in &clauses.sums {
            let begin = match operator.as_str() {
                "+" | "-" | "|" | "^" | "||" => "0".to_string(),
                "*" | "&&" => "1".to_string(),
                "&" => "~0".to_string(),
                "max" | "min" => copy(name),
                _ => return None,
            };
            text.line(format!("{} = {begin};", declared(name, name, name)?.1));
            own.push(name.clone());
        }
        Some(())
    }

    /// Copies of a loop that makes its own team: of what has the value of the last iteration afterwards.
    fn last_copies(
        &self,
        clauses: &Clauses,
        levels: &[Level],
        number: usize,
        statement: &Statement,
        text: &mut Text,
        own: &mut Vec<String>,
    ) -> Option<()> {
        if clauses.last.is_empty() {
            return Some(());
        }
        let declared = |name: &str, as_name: &str, like: &str| {
            declared(self.file_unit(), statement, name, as_name, like)
        };
        let copy = |name: &str| copy_of(name, number);
        for name in &clauses.last {
            let (kind, declaration) = declared(name, &copy(name), name)?;
            match clauses.first.contains(name) {
                true => {
                    text.line(kind.copied(&declaration, &copy(name), name));
                    own.push(copy(name));
                }
                false => text.line(format!("{declaration};")),
            }
        }
        text.line("{");
        for name in &clauses.last {
            let (kind, declaration) = declared(name, name, &copy(name))?;
            match clauses.first.contains(name) {
                true => text.line(kind.copied(&declaration, name, &copy(name))),
                // That of the loop is declared with the others.
                false if levels.iter().any(|one| one.name == name) => {}
                false => text.line(format!("{declaration};")),
            }
            own.push(name.clone());
        }
        Some(())
    }

    /// The loop around the strips or chunks.
    fn turns(&self, schedule: &Schedule, number: usize, text: &mut Text) {
        let name = |what: &str| format!("cccp_{what}{number}");
        let (count, at, end) = (name("count"), name("at"), name("end"));
        let (team, base, next, chunk) = (name("team"), name("base"), name("next"), name("chunk"));
        let limit = format!("{end} = {at} + {chunk} < {count} ? {at} + {chunk} : {count};");
        match schedule {
            Schedule::Static => text.line(format!("while ({at} < {end}) {{")),
            Schedule::Turns(_) => {
                text.line("for (;;) {");
                text.line(format!(
                    "if ({at} >= {end}) {{ {base} += {team} * {chunk}; if ({base} >= {count}) break; {at} = {base}; {limit} }}"
                ));
            }
            Schedule::Runtime => {
                text.line("for (;;) {");
                text.line(format!("if ({at} >= {end}) {{"));
                text.line(format!("if ({}) {{", name("dynamic")));
                text.line("#pragma omp atomic capture");
                text.line(format!("{{ {at} = {next}; {next} += {chunk}; }}"));
                text.line(format!(
                    "}} else {{ {base} += {team} * {chunk}; {at} = {base}; }}"
                ));
                text.line(format!("if ({at} >= {count}) break;"));
                text.line(format!("{limit} }}"));
            }
            Schedule::Dynamic(_) => {
                text.line("for (;;) {");
                text.line(format!("if ({at} >= {end}) {{"));
                text.line("#pragma omp atomic capture");
                text.line(format!("{{ {at} = {next}; {next} += {chunk}; }}"));
                text.line(format!("if ({at} >= {count}) break;"));
                text.line(format!("{limit} }}"));
            }
        }
    }

    /// What comes behind the loop, from the inside out.
    fn ends(
        &self,
        clauses: &Clauses,
        levels: &[Level],
        (number, kinds): (usize, &[Kind]),
        is_inner: bool,
        waits: bool,
        text: &mut Text,
    ) {
        let name = |what: &str| format!("cccp_{what}{number}");
        let copy = |name: &str| copy_of(name, number);
        let (at, count, last) = (name("at"), name("count"), name("last"));
        let mut after = Vec::new();
        let ends_with_value = !clauses.last.is_empty();
        if ends_with_value {
            after.push(format!("if ({at} == {count}) {last} = 1;"));
        }
        after.push("}".to_string());
        // All have taken what was there before when the last iteration sets it.
        if clauses.last.iter().any(|one| clauses.first.contains(one)) {
            after.push("#pragma omp barrier".to_string());
        }
        let all = || clauses.last.iter().zip(kinds);
        let is_last = format!("if ({last})");
        // Behind a nest, its variables are where each of its loops ended.
        for (index, one) in levels.iter().enumerate().filter(|_| levels.len() > 1) {
            if clauses.last.iter().any(|name| name == one.name) {
                let (first, count) = (first(number, index), counted(number, index));
                after.push(format!(
                    "{is_last} {} = {first} + {count} * {};",
                    one.name, one.step
                ));
            }
        }
        after.extend(all().map(|(one, kind)| format!("{is_last} {}", kind.set(&copy(one), one))));
        if is_inner {
            let sums = clauses.sums.iter();
            after.extend(sums.map(|(_, one)| format!("{} = {one};", copy(one))));
        }
        if is_inner || ends_with_value {
            after.push("}".to_string());
        }
        after.extend(all().map(|(one, kind)| format!("{is_last} {}", kind.set(one, &copy(one)))));
        if is_inner {
            for (operator, one) in &clauses.sums {
                let other = copy(one);
                let sum = match operator.as_str() {
                    "max" => format!("{one} < {other} ? {other} : {one}"),
                    "min" => format!("{other} < {one} ? {other} : {one}"),
                    "-" => format!("{one} + {other}"),
                    operator => format!("{one} {operator} {other}"),
                };
                after.push("#pragma omp critical(cccp_reduction)".to_string());
                after.push(format!("{one} = {sum};"));
            }
            if waits {
                after.push("#pragma omp barrier".to_string());
            }
        }
        after.append(&mut text.after);
        text.after = after;
    }

    /// The heads of the loops.
    fn heads(&self, levels: &[Level], number: usize, stop: &str, changes: &mut Proposal) {
        let at = format!("cccp_at{number}");
        if let [one] = levels {
            let variable = if one.declares {
                &one.declaration
            } else {
                one.name
            };
            let head = format!(
                "for ({variable} = {} + {at} * {}; {at} < {stop}; {}, {at}++)",
                first(number, 0),
                one.step,
                one.increment
            );
            return self.replace(one.head, &head, changes);
        }
        let mut values = Vec::new();
        for (index, one) in levels.iter().enumerate() {
            let mut which = at.clone();
            for inner in index + 1..levels.len() {
                which = format!("{which} / {}", counted(number, inner));
            }
            values.push(format!(
                "{} = {} + {which} % {} * {}",
                one.name,
                first(number, index),
                counted(number, index),
                one.step
            ));
        }
        for (index, one) in levels.iter().enumerate() {
            let head = match index {
                0 => format!("for (; {at} < {stop}; {at}++)"),
                _ if index + 1 < levels.len() => String::new(),
                _ => format!("if (({}, 1))", values.join(", ")),
            };
            self.replace(one.head, &head, changes);
        }
    }

    /// Another text with as many lines.
    fn replace(&self, range: SourceRange, text: &str, changes: &mut Proposal) {
        let old = self.file_unit().file.original_text(range);
        let lines = old.matches('\n').count();
        let text = format!("{text}{}", "\n".repeat(lines));
        changes
            .replacements
            .push((self.unit, Replacement { range, text }));
    }
}

/// The declaration of a variable like that of a clause, and what it is. What has no spelling outside of its block, or a length of the
/// run, is declared like another variable.
fn declared(
    unit: &Unit,
    statement: &Statement,
    name: &str,
    as_name: &str,
    like: &str,
) -> Option<(Kind, String)> {
    let symbol = unit.lookup(statement.scope, name, statement.span.start)?;
    let ty = unit.symbols[symbol.0].ty;
    let kind = match unit.kind(ty) {
        TypeKind::Array { .. } if unit.is_const_element(ty) => return None,
        TypeKind::Array { .. } => Kind::Array,
        TypeKind::Record(_) => Kind::Struct,
        _ => Kind::Scalar,
    };
    let spelt = unit.spell(ty, as_name);
    let is_const = unit.ty(ty).qualifiers.is_const;
    match spelt {
        Ok(spelt) => Some((kind, spelt)),
        Err(_) if is_const || like == as_name => None,
        Err(_) => Some((kind, format!("__typeof__({like}) {as_name}"))),
    }
}

/// The copy of a variable of a clause. No variable of the program makes it a name of the loop itself, like `cccp_count7`.
fn copy_of(name: &str, number: usize) -> String {
    format!("cccp_copy{number}_{name}")
}

fn first(number: usize, index: usize) -> String {
    match index {
        0 => format!("cccp_first{number}"),
        _ => format!("cccp_first{number}_{index}"),
    }
}

fn counted(number: usize, index: usize) -> String {
    format!("cccp_count{number}_{index}")
}

/// Whether nothing in a loop speaks of the construct that the loop is: `ordered`, `cancel`.
fn is_plain_inside(statement: &Statement) -> bool {
    let mut is_plain = true;
    for child in statement.children() {
        child.walk(&mut |one| {
            let stands = match &one.kind {
                StatementKind::OpenMp(construct) => construct.leaves(),
                _ => false,
            };
            let is_ordered = |one: &Construct| one.has(&DirectiveName::Ordered);
            is_plain &= !stands && !one.openmp.iter().any(is_ordered);
            is_plain
        });
    }
    is_plain
}
