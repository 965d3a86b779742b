//! The state while one function's plan is made, and its main steps.
//!
//! In: the program and what analysis knows. Out: a [`FunctionPlan`] and raw edits. First the facts that blocks need
//! (shadows, execute blocks), then one walk over the statements that numbers the blocks and collects edits, then
//! what only the whole picture tells: what each label loads, which loops count, which constants are set again.

use super::data::{
    Block, BlockKind, BlockNumber, Dispatch, FunctionPlan, LoopEntry, ResultType, Step, Temporary,
};
use super::file::Whole;
use super::flatten::flatten;
use super::parallel::ParallelRegion;
use super::raw::RawEdit;
use super::shadows::ShadowFact;
use super::table::TypeTable;
use super::types::Shapes;
use crate::analysis::constants;
use crate::analysis::execute::ExecuteFacts;
use crate::analysis::following::Following;
use crate::analysis::uses::{Uses, assigned_at};
use crate::analysis::{Clients, Finding, FunctionKey, Picture, Proven};
use crate::catalog::Catalogue;
use crate::diagnostic::Code;
use crate::program::{
    DirectiveId, Expression, Function, Program, ScopeId, Statement, SymbolId, TypeId, TypeKind,
    Unit,
};
use crate::source::{SourceRange, Span};
use std::collections::{BTreeSet, HashMap};

/// A part of the text that is replaced wherever the text around it goes.
#[derive(Debug, Clone)]
pub struct Cut {
    /// What is replaced.
    pub span: Span,
    /// The same in the user's file.
    pub place: Option<SourceRange>,
    /// By what.
    pub text: String,
}

/// Where a block stands.
#[derive(Debug, Clone, Copy)]
pub struct Site {
    /// In the preprocessed text.
    pub position: usize,
    /// The scope of names.
    pub scope: ScopeId,
    /// Names declared before this place can be used.
    pub names_at: usize,
    /// Start of the statement it belongs to.
    pub statement: usize,
    /// Where the label stands when that is elsewhere: its scope, and the place up to which names are declared.
    pub label: Option<(ScopeId, usize)>,
    /// A restart may end in it.
    pub checkpoint: bool,
    /// The run may end in it.
    pub shutdown: bool,
    /// It sets aside temporaries only.
    pub keep: bool,
}

impl Site {
    /// Scope and place in which the label's names are looked up.
    pub fn label_names(&self) -> (ScopeId, usize) {
        self.label.unwrap_or((self.scope, self.names_at))
    }
}

/// Everything at hand while a function is planned.
pub struct Builder<'a> {
    /// The whole program.
    pub program: &'a Program,
    /// Index of the unit.
    pub unit_index: usize,
    /// The unit.
    pub unit: &'a Unit,
    /// The function.
    pub function: &'a Function,
    /// Its key.
    pub key: FunctionKey,
    /// Client functions.
    pub clients: &'a Clients,
    /// What may be forgotten.
    pub following: &'a Following,
    /// Parameters that nobody reads after a restart.
    pub proven: &'a Proven,
    /// Statements and loops.
    pub picture: Picture<'a>,
    /// Where variables are set.
    pub uses: Uses,
    /// Variables with a value, by start of statement.
    pub assigned: HashMap<usize, BTreeSet<SymbolId>>,
    /// The plan so far.
    pub plan: FunctionPlan,
    /// Types so far.
    pub shapes: Shapes<'a>,
    /// What is known of library functions.
    pub catalogue: &'a Catalogue,
    /// Edits so far.
    pub raw: Vec<RawEdit>,
    /// What there is to say.
    pub findings: Vec<Finding>,
    /// One per block.
    pub sites: Vec<Site>,
    /// One per shadow.
    pub shadow_facts: Vec<ShadowFact>,
    /// Execute blocks.
    pub executes: HashMap<DirectiveId, (ExecuteFacts, BlockNumber)>,
    /// Replaced parts.
    pub cuts: Vec<Cut>,
    /// Temporaries of the current full expression that have a value and are still to be used.
    pub pending: Vec<String>,
    /// Types of the temporaries.
    pub temporary_types: HashMap<String, Option<TypeId>>,
    /// The region in which the walk is.
    pub region: BlockNumber,
    /// The parallel region in which the walk is.
    pub team: BlockNumber,
    /// Parallel regions with blocks in them.
    pub parallel: Vec<ParallelRegion>,
    /// How deep the walk is.
    pub depth: i32,
    /// Checkpoints whose label stands before their loop: how, in which scope, and the block once it is known.
    pub entries: HashMap<DirectiveId, (LoopEntry, ScopeId, usize, BlockNumber)>,
    /// Checkpoints behind which a thread may go on before all have come.
    pub going_on: BTreeSet<DirectiveId>,
    /// Items that end with an inner block: its scope and the item.
    pub inner_items: Vec<(ScopeId, usize)>,
    /// Where `init` stands.
    pub init_at: Option<usize>,
    /// Locals that begin as zero, as they are copied with all that is in them.
    pub copied: BTreeSet<SymbolId>,
    /// Texts that a restart evaluates again, to find the parameters they need.
    pub again_texts: Vec<String>,
    /// The user asked for switches.
    pub dispatch: Dispatch,
}

impl<'a> Builder<'a> {
    /// Starts on a function. At the end: whether no request is there at a checkpoint.
    pub fn new(
        program: &'a Program,
        catalogue: &'a Catalogue,
        key: FunctionKey,
        whole: &'a Whole<'a>,
        (dispatch, requests_end): (Dispatch, bool),
    ) -> Builder<'a> {
        let (clients, following) = (&whole.clients, &whole.following);
        let (described, proven) = (&whole.described, whole.proven);
        let unit = &program.units[key.unit];
        let function = &unit.functions[key.function.0];
        Builder {
            program,
            unit_index: key.unit,
            unit,
            function,
            key,
            clients,
            following,
            proven,
            picture: Picture::of(unit, function, catalogue),
            uses: Uses::of(unit, function),
            assigned: assigned_at(function),
            plan: FunctionPlan {
                name: function.name.clone(),
                is_client: clients.reach(key).client,
                on_fixed_stack: program.has_fixed_heap(),
                file: unit.file.path.clone(),
                line: function.line,
                fingerprint: 0,
                result: ResultType::Void,
                dispatch,
                init: None,
                parameters: Vec::new(),
                shadows: Vec::new(),
                temporaries: Vec::new(),
                loops: Vec::new(),
                counters: 0,
                blocks: Vec::new(),
                early: Vec::new(),
                reaches_init: false,
                items: Vec::new(),
                says_functions: false,
                may_be_called_back: false,
                defined_here: false,
                suspects: Default::default(),
                types: TypeTable::default(),
                linked: super::allocations::brings_blocks(program),
                has_teams: false,
                notes_handles: unit.notes_handles,
            },
            shapes: Shapes::new(
                catalogue,
                super::allocations::brings_blocks(program),
                requests_end,
                &whole.proven.optional,
                described,
            ),
            catalogue,
            raw: Vec::new(),
            findings: Vec::new(),
            sites: Vec::new(),
            shadow_facts: Vec::new(),
            executes: HashMap::new(),
            cuts: Vec::new(),
            pending: Vec::new(),
            temporary_types: HashMap::new(),
            region: 0,
            team: 0,
            parallel: Vec::new(),
            depth: 0,
            entries: HashMap::new(),
            going_on: BTreeSet::new(),
            inner_items: Vec::new(),
            init_at: None,
            copied: super::unset::copied(program, proven, unit, function),
            again_texts: Vec::new(),
            dispatch,
        }
    }

    /// Makes the plan.
    pub fn build(mut self) -> (FunctionPlan, Vec<RawEdit>, Vec<Finding>) {
        if !self.plan.is_client {
            return self.describe();
        }
        if !self.can_be_client() {
            return (self.plan, self.raw, self.findings);
        }
        self.init_at = self.unit.directives.iter().find_map(|one| {
            let here = one.function == Some(self.key.function);
            (here && matches!(one.directive, crate::program::Directive::Init { .. }))
                .then_some(one.span.start)
        });
        self.result();
        self.called_back();
        self.collect_parallel();
        self.collect_shadows();
        self.collect_going_on();
        let body = &self.function.body;
        self.statement(body);
        // Compilers make no copies of a function that keeps addresses of its labels.
        let is_copied = self.symbol(self.function.symbol).copied;
        let mut blocks = self.plan.blocks.iter();
        if is_copied
            || blocks.any(|block| matches!(block.kind, BlockKind::Region | BlockKind::Parallel))
        {
            self.plan.dispatch = Dispatch::Switch;
        }
        self.refuse_blocks_outside_of_init();
        self.finish_blocks();
        self.finish_loops();
        self.count_turns();
        self.parameters();
        self.constants();
        self.poison();
        self.hold();
        self.entry();
        self.shapes.link(self.unit);
        self.plan.types = std::mem::take(&mut self.shapes.table);
        self.plan.suspects = std::mem::take(&mut self.shapes.suspects);
        self.names();
        (self.plan, self.raw, self.findings)
    }

    /// Makes the plan of a function that has resident items only.
    fn describe(mut self) -> (FunctionPlan, Vec<RawEdit>, Vec<Finding>) {
        self.statement(&self.function.body);
        self.entry();
        self.shapes.link(self.unit);
        self.plan.types = std::mem::take(&mut self.shapes.table);
        self.plan.suspects = std::mem::take(&mut self.shapes.suspects);
        self.names();
        (self.plan, self.raw, self.findings)
    }

    fn can_be_client(&mut self) -> bool {
        let function = self.function;
        let refuse = |reason: &str, help: &str| {
            Finding::error(
                Code::NOT_A_CLIENT,
                format!("`{}` cannot take part in a restart", function.name),
            )
            .at(None, self.unit.symbols[function.symbol.0].declared)
            .reason(reason)
            .help(help)
        };
        let finding = if function.variadic {
            Some(refuse(
                "it takes a variable number of arguments, which cannot be given again on restart",
                "move the directives, and the calls that lead to them, to a function with fixed parameters",
            ))
        } else if self.symbol(function.symbol).without_effects {
            Some(refuse(
                "it is declared `const` or `pure`: compilers leave calls of such a function out, move them, or make them once for several",
                "take that attribute away: a function in which checkpoints are taken has effects",
            ))
        } else if !function.in_user_file {
            Some(refuse(
                "its body stands in an included file that cannot be taken into the one that includes it: a header of the system, or \
                 one whose text would mean something else there",
                "move the function to a source file, or precompile that file",
            ))
        } else if function.body_open.is_none() {
            Some(refuse(
                "the `{` of its body comes from a macro",
                "write the `{` of this function in the source",
            ))
        } else {
            None
        };
        let possible = finding.is_none();
        self.findings.extend(finding);
        possible
    }

    /// Whether code without a block for it may call this function. It has to name itself then.
    fn called_back(&mut self) {
        let name = &self.plan.name;
        let is_pointed_at = self.clients.addresses(self.unit_index).contains(name);
        let mut parameters = self.function.parameters.iter();
        let is_hidden = parameters.any(|&one| self.symbol(one).name == *name);
        self.plan.may_be_called_back = (is_pointed_at || !self.function.is_static) && !is_hidden;
        self.plan.defined_here = self.function.is_inline
            && !self.function.is_static
            && self.clients.external(name) == Some(self.key);
        if is_pointed_at && is_hidden {
            self.findings.push(
                Finding::error(
                    Code::NOT_A_CLIENT,
                    format!("`{name}` cannot take part in a restart"),
                )
                .at(None, self.unit.symbols[self.function.symbol.0].declared)
                .reason("it is called through pointers, and a parameter hides its name: it cannot compare the pointer with itself")
                .help("rename the parameter"),
            );
        }
    }

    fn result(&mut self) {
        let ty = self.function.return_type;
        self.plan.result = match self.unit.kind(ty) {
            TypeKind::Void => ResultType::Void,
            TypeKind::Record(_) => match self.unit.spell(ty, "") {
                Ok(text) => ResultType::Aggregate(text),
                Err(_) => ResultType::Aggregate("__typeof__(struct cccp_unnamed)".to_string()),
            },
            _ => ResultType::Scalar,
        };
    }

    /// A new block.
    pub fn block(
        &mut self,
        kind: BlockKind,
        name: Option<String>,
        line: usize,
        site: Site,
    ) -> BlockNumber {
        self.plan.blocks.push(Block {
            kind,
            line,
            in_loop: 0,
            region: self.region,
            team: self.team,
            name,
            values: Vec::new(),
            load: Vec::new(),
            constants: Vec::new(),
            silence: Vec::new(),
            poisoned: Vec::new(),
            held: Vec::new(),
            held_before: Vec::new(),
            publish: Vec::new(),
            passed: 0,
            ranks: None,
            threads: None,
            stands: None,
            each: false,
            entry: LoopEntry::Here,
        });
        self.sites.push(site);
        self.plan.blocks.len()
    }

    /// A new variable of the generated code.
    pub fn temporary(&mut self, prefix: &str, declaration: String, ty: Option<TypeId>) -> String {
        let name = format!("cccp_{prefix}{}", self.plan.temporaries.len() + 1);
        self.plan.temporaries.push(Temporary {
            name: name.clone(),
            declaration,
            kept: false,
            team: self.team,
            is_const_inside: ty.is_some_and(|ty| self.is_const_inside(ty)),
        });
        self.temporary_types.insert(name.clone(), ty);
        name
    }

    /// Whether a struct or union has a member that is `const`, or one in a member.
    pub fn is_const_inside(&self, ty: TypeId) -> bool {
        let TypeKind::Record(record) = self.unit.kind(ty) else {
            return false;
        };
        let members = self.unit.records[record.0].members.iter().flatten();
        members.into_iter().any(|member| {
            let mut ty = member.ty;
            while let TypeKind::Array { element, .. } = self.unit.kind(ty) {
                ty = *element;
            }
            self.unit.ty(ty).qualifiers.is_const
                || self.unit.ty(member.ty).qualifiers.is_const
                || self.is_const_inside(ty)
        })
    }

    /// Facts about a symbol.
    pub fn symbol(&self, symbol: SymbolId) -> &'a crate::program::Symbol {
        &self.unit.symbols[symbol.0]
    }

    /// Whether a symbol is a local with automatic storage.
    pub fn is_automatic(&self, symbol: SymbolId) -> bool {
        constants::is_automatic(self.symbol(symbol))
    }

    /// Whether a variable, as seen from a place, lives on the stack: a local, or a thread's copy of another variable.
    pub fn is_on_stack(&self, symbol: SymbolId, position: usize) -> bool {
        self.is_automatic(symbol) || self.home(symbol, position) != 0
    }

    /// A parameter that keeps the value it was called with.
    pub fn is_steady_parameter(&self, symbol: SymbolId) -> bool {
        constants::is_steady_parameter(self.symbol(symbol))
    }

    /// Set by every run itself, before `init`, and never again.
    pub fn is_set_before_init(&self, symbol: SymbolId) -> bool {
        self.init_at.is_some_and(|init| {
            self.is_automatic(symbol)
                && (self.uses.only_set_before(symbol, init) || self.is_steady_parameter(symbol))
                && self.picture.loop_at(init).is_none()
        })
    }

    /// The same as seen from `place`: what changes it after `init` cannot come before `place`.
    pub fn is_still_set_before_init(&self, symbol: SymbolId, place: usize) -> bool {
        self.is_set_before_init(symbol)
            || self.init_at.is_some_and(|init| {
                self.is_automatic(symbol)
                    && self.uses.set_before(symbol, init)
                    && self.picture.loop_at(init).is_none()
                    && self
                        .uses
                        .changes(symbol)
                        .all(|change| change < init || !self.picture.may_precede(change, place))
            })
    }

    /// The text of a span on one line, with everything in it that was replaced.
    pub fn render(&mut self, span: Span) -> String {
        let mut cuts: Vec<Cut> = self
            .cuts
            .iter()
            .filter(|cut| span.contains(cut.span))
            .cloned()
            .collect();
        cuts.sort_by_key(|cut| (cut.span.start, usize::MAX - cut.span.end));
        let source = &self.unit.file.preprocessed;
        let mut text = String::new();
        let mut done = span.start;
        for cut in cuts {
            if cut.span.start < done {
                continue;
            }
            text.push_str(&source[done..cut.span.start]);
            text.push_str(&cut.text);
            self.pending.retain(|name| *name != cut.text);
            done = cut.span.end;
        }
        text.push_str(&source[done..span.end.max(done)]);
        flatten(&text)
    }

    /// From now on an expression reads as something else.
    pub fn cut(&mut self, expression: &Expression, text: impl Into<String>) {
        self.cuts.push(Cut {
            span: expression.span,
            place: expression.place,
            text: text.into(),
        });
    }

    /// The replaced parts inside a text that stays where it is become edits.
    pub fn cuts_in_place(&mut self, span: Span) {
        let mut cuts: Vec<Cut> = self
            .cuts
            .iter()
            .filter(|cut| span.contains(cut.span))
            .cloned()
            .collect();
        cuts.sort_by_key(|cut| (cut.span.start, usize::MAX - cut.span.end));
        let mut done = 0;
        for cut in cuts {
            if cut.span.start < done {
                continue;
            }
            done = cut.span.end;
            self.pending.retain(|name| *name != cut.text);
            self.raw.push(RawEdit {
                span: cut.span,
                place: cut.place,
                order: 0,
                steps: vec![Step::Text(cut.text)],
            });
        }
    }

    /// Puts steps before a statement. `order` is its depth times ten, plus what comes later at the same place.
    pub fn before(&mut self, statement: &Statement, order: i32, steps: Vec<Step>) {
        let place = statement
            .place
            .map(|place| SourceRange::new(place.start, place.start));
        let span = Span::new(statement.span.start, statement.span.start);
        self.raw.push(RawEdit {
            span,
            place,
            order: 2_000_000 + order,
            steps,
        });
    }

    /// Puts steps after a statement. `order` is its depth times ten, minus what comes later at the same place.
    pub fn after(&mut self, statement: &Statement, order: i32, steps: Vec<Step>) {
        let end = statement.span.end;
        // A loop that a macro begins has no place of its own; the brace or semicolon at its end may be the user's.
        let last = Span::new(end - 1, end);
        let of_last = || {
            let file = &self.unit.file;
            file.place(last).filter(|_| !file.touched_by_macro(last))
        };
        let place = statement
            .place
            .or_else(of_last)
            .map(|place| SourceRange::new(place.end, place.end));
        let span = Span::new(end, end);
        self.raw.push(RawEdit {
            span,
            place,
            order: 1_000_000 - order,
            steps,
        });
    }

    /// The line of a place in the user's file.
    pub fn line(&self, place: Option<SourceRange>, statement: &Statement) -> usize {
        match place.or(statement.place) {
            Some(place) => self.unit.file.line_of(place.start),
            None => self.function.line,
        }
    }

    fn entry(&mut self) {
        let Some(open) = self.function.body_open else {
            return;
        };
        // Behind the brace, also where all of the body is written anew.
        let inside = self.function.body.span.start + 1;
        self.raw.push(RawEdit {
            span: Span::new(inside, inside),
            place: Some(SourceRange::new(open, open)),
            order: -1,
            steps: vec![Step::Entry],
        });
    }
}
