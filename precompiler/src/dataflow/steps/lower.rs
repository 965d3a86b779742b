//! From the program's picture to steps: functions, and the nodes in them.
//!
//! In: a function's [`Flow`] and what is evaluated in each node. Out: the steps of each node. `evaluate` does values,
//! `places` what is named in memory, `calls` calls, `declare` declarations, `initialise` what stands in braces, `inner`
//! statement expressions, `regions` OpenMP and cleanup.
//!
//! `order` decides what C leaves open: the order of operands.

use std::collections::{HashMap, HashSet};

use super::IsClientCall;
use super::model::{
    Combination, Location, Projection, RegisteredItem, Routine, RoutineId, Step, StepKind, Steps,
    TextPlace, TypeRef, Value, ValueId, Variable, VariableId, VariableKind,
};
use super::regions::Regions;
use super::threads::Threads;
use super::variables;
use crate::catalog::Catalogue;
use crate::dataflow::certain::Settled;
use crate::dataflow::{Flow, FunctionRef, Work};
use crate::program::{
    Declarator, Expression, FloatKind, Function, FunctionId, Layout, Program, Storage, SymbolId,
    TypeId, TypeKind, Unit,
};
use crate::source::Span;

/// All of a program.
pub(super) fn program(
    program: &Program,
    catalogue: &Catalogue,
    is_client_call: IsClientCall,
) -> Steps {
    let mut steps = Steps::default();
    variables::collect(program, &mut steps);
    let names = Names::of(program, &mut steps, catalogue, is_client_call);
    let mut all = std::mem::take(&mut steps.variables);
    for index in 0..program.units.len() {
        let unit = &program.units[index];
        let pointers = pointers(unit);
        let layout = Layout::of(unit);
        let (mut statics, mut copies) = (Vec::new(), Vec::new());
        for function in 0..unit.functions.len() {
            let at = FunctionRef {
                unit: index,
                function: FunctionId(function),
            };
            let mut lowerer =
                Lowerer::new(program, index, layout, &names, &pointers, &steps, &mut all);
            let routine = lowerer.routine(at);
            statics.append(&mut lowerer.statics);
            copies.extend(lowerer.regions.copies());
            steps.routines.push(routine);
        }
        let mut lowerer = Lowerer::new(program, index, layout, &names, &pointers, &steps, &mut all);
        let initial = lowerer.initial(&statics);
        steps.initial.push(initial);
        steps.copies.push(copies);
    }
    steps.variables = all;
    steps
}

/// What names mean in all units.
pub(super) struct Names<'a> {
    /// Functions with external linkage.
    pub functions: HashMap<&'a str, RoutineId>,
    /// What is known of functions of libraries.
    pub catalogue: &'a Catalogue,
    /// Which calls become statements of their own.
    pub is_client_call: IsClientCall<'a>,
    /// What never changes.
    pub settled: Settled,
    /// What other threads do.
    pub threads: Threads,
}

impl<'a> Names<'a> {
    fn of(
        program: &'a Program,
        steps: &mut Steps,
        catalogue: &'a Catalogue,
        is_client_call: IsClientCall<'a>,
    ) -> Names<'a> {
        let mut functions = HashMap::new();
        for (unit, one) in program.units.iter().enumerate() {
            for (index, function) in one.functions.iter().enumerate() {
                let id = RoutineId(steps.first_routines[unit] + index as u32);
                if !function.is_static {
                    functions.entry(function.name.as_str()).or_insert(id);
                }
            }
        }
        Names {
            threads: Threads::of(program, steps, &functions, catalogue),
            functions,
            catalogue,
            is_client_call,
            settled: Settled::of(program, catalogue),
        }
    }
}

/// The type of pointers to each type.
fn pointers(unit: &Unit) -> HashMap<TypeId, TypeId> {
    let mut found = HashMap::new();
    for (index, ty) in unit.types.iter().enumerate() {
        if let TypeKind::Pointer(target) = ty.kind {
            found.entry(target).or_insert(TypeId(index));
        }
    }
    found
}

/// One function on its way to steps.
pub(super) struct Lowerer<'a, 'b> {
    pub unit: &'a Unit,
    /// The number of the unit.
    pub index: usize,
    pub layout: Layout<'a>,
    pub names: &'b Names<'a>,
    pointers: &'b HashMap<TypeId, TypeId>,
    pub known: &'b Steps,
    pub variables: &'b mut Vec<Variable>,
    pub owner: Option<RoutineId>,
    /// What is stored before `main` is being lowered.
    pub is_initial: bool,
    pub values: Vec<Value>,
    /// What has happened so far in the node, or in the part of it that is being lowered.
    pub steps: Vec<Step>,
    /// Static locals with initialisers.
    pub statics: Vec<&'a Declarator>,
    pub variable_arguments: Option<VariableId>,
    /// Expressions with calls of client functions, in what is being lowered.
    pub leading: HashSet<*const Expression>,
    /// Those of them whose calls have been lowered.
    pub led: HashSet<*const Expression>,
    /// What stands before the last comma of such expressions.
    pub discarded: HashSet<*const Expression>,
    /// Expressions with an effect, in what is being lowered.
    pub effects: HashSet<*const Expression>,
    /// Those in which everything has been evaluated that comes early.
    pub hoisted: HashSet<*const Expression>,
    /// Their values, and those of calls and what they return.
    pub early: HashMap<*const Expression, ValueId>,
    pub early_calls: HashMap<*const Expression, (ValueId, Option<VariableId>)>,
    /// Items of register directives.
    pub items: Vec<RegisteredItem>,
    pub regions: Regions<'a>,
    /// The node that is being lowered.
    pub node: Span,
}

impl<'a, 'b> Lowerer<'a, 'b> {
    fn new(
        program: &'a Program,
        index: usize,
        layout: Layout<'a>,
        names: &'b Names<'a>,
        pointers: &'b HashMap<TypeId, TypeId>,
        known: &'b Steps,
        variables: &'b mut Vec<Variable>,
    ) -> Self {
        Lowerer {
            unit: &program.units[index],
            index,
            layout,
            names,
            pointers,
            known,
            variables,
            owner: None,
            is_initial: false,
            values: Vec::new(),
            steps: Vec::new(),
            statics: Vec::new(),
            variable_arguments: None,
            leading: HashSet::new(),
            led: HashSet::new(),
            discarded: HashSet::new(),
            effects: HashSet::new(),
            hoisted: HashSet::new(),
            early: HashMap::new(),
            early_calls: HashMap::new(),
            items: Vec::new(),
            regions: Regions::default(),
            node: Span::default(),
        }
    }

    fn routine(&mut self, at: FunctionRef) -> Routine {
        let function = self.unit.function(at.function);
        self.owner = Some(self.known.routine_of(at));
        if function.variadic {
            let span = Span::new(function.span.start, function.body.span.start);
            let kind = VariableKind::VariableArguments;
            let id = self.unnamed("<variable arguments>", kind, TypeId::UNKNOWN, span);
            self.variable_arguments = Some(id);
        }
        self.regions = Regions::of(self, function);
        let (unit, number, settled) = (self.unit, self.index, &self.names.settled);
        let truth = |condition: &Expression| settled.truth(unit, number, condition);
        let (flow, work) = Flow::with_truth(function, self.names.catalogue, &truth);
        let (reached, always) = (flow.reached(), Flow::of(function, self.names.catalogue));
        let could = always.reached();
        let mut nodes = Vec::with_capacity(work.len());
        for (index, (node, work)) in flow.nodes.iter().zip(&work).enumerate() {
            self.node = node.span;
            // What a condition shuts out does nothing; a directive is told of all the same.
            let is_out = could[index] && !reached[index];
            nodes.push(match work {
                Work::Directive(_) => self.node(node.span, *work),
                _ if is_out => Vec::new(),
                _ => self.node(node.span, *work),
            });
        }
        nodes[Flow::ENTRY.0] = self.entry(function);
        Routine {
            function: at,
            name: function.name.clone(),
            flow,
            nodes,
            parameters: function
                .parameters
                .iter()
                .filter_map(|&symbol| self.variable(symbol))
                .collect(),
            variable_arguments: self.variable_arguments,
            values: std::mem::take(&mut self.values),
            items: std::mem::take(&mut self.items),
        }
    }

    /// Extents in the types of parameters are evaluated at first.
    fn entry(&mut self, function: &'a Function) -> Vec<Step> {
        self.extents_in(Span::new(function.span.start, function.body.span.start));
        std::mem::take(&mut self.steps)
    }

    fn initial(&mut self, statics: &[&'a Declarator]) -> Routine {
        self.is_initial = true;
        let globals = self.unit.globals.iter();
        let globals = globals.flat_map(|declaration| &declaration.declarators);
        for declarator in globals.chain(statics.iter().copied()) {
            self.owner = self.unit.symbols[declarator.symbol.0]
                .function
                .map(|function| {
                    self.known.routine_of(FunctionRef {
                        unit: self.index,
                        function,
                    })
                });
            self.initialised(declarator);
        }
        let at = FunctionRef {
            unit: self.index,
            function: FunctionId(0),
        };
        Routine {
            function: at,
            name: "<initialisers>".to_string(),
            flow: Flow {
                nodes: vec![crate::dataflow::Node {
                    span: Span::default(),
                    statement: None,
                    next: Vec::new(),
                }],
                returns_twice: false,
            },
            nodes: vec![std::mem::take(&mut self.steps)],
            parameters: Vec::new(),
            variable_arguments: None,
            values: std::mem::take(&mut self.values),
            items: std::mem::take(&mut self.items),
        }
    }

    fn node(&mut self, span: Span, work: Work<'a>) -> Vec<Step> {
        self.leading.clear();
        self.led.clear();
        self.discarded.clear();
        self.effects.clear();
        self.hoisted.clear();
        self.early.clear();
        self.early_calls.clear();
        let mut jumps = false;
        for expression in work.expressions() {
            self.note_effects(expression);
            jumps |= super::inner::jumps(expression);
        }
        self.extents_in(span);
        self.region_reads(span);
        let mut last = None;
        match work {
            Work::Nothing => {}
            Work::Effect(value) => self.effect(value),
            Work::Condition(value) => {
                self.value(value);
            }
            Work::Declaration(declaration) => self.declaration(declaration),
            Work::Return(value) => last = Some(self.returned(value)),
            Work::Directive(id) => {
                self.clauses(id);
                last = Some(StepKind::Directive(id));
            }
            Work::OpenMp(statement, construct) => self.alone(statement, construct),
            Work::Opaque(statement) => self.opaque(statement),
        }
        if jumps {
            self.perhaps_all();
        }
        self.cleanups(span);
        if let Some(last) = last {
            self.push(last, span);
        }
        std::mem::take(&mut self.steps)
    }

    /// What has happened so far may also not have happened.
    pub fn perhaps_all(&mut self) {
        let steps = std::mem::take(&mut self.steps);
        if !steps.is_empty() {
            self.push(StepKind::Repeat(steps), self.node);
        }
    }

    /// What is returned; nothing is done after it.
    pub fn returned(&mut self, value: Option<&'a Expression>) -> StepKind {
        let (mut scalar, mut aggregate) = (None, None);
        if let Some(value) = value {
            match self.unit.kind(value.ty) {
                TypeKind::Void => self.effect(value),
                TypeKind::Record(_) => aggregate = Some(self.aggregate(value)),
                _ => scalar = Some(self.value(value)),
            }
        }
        StepKind::Return {
            value: scalar,
            aggregate,
        }
    }

    fn extents_in(&mut self, span: Span) {
        let all = &self.unit.type_extents;
        let first = all.partition_point(|extent| extent.span.start < span.start);
        for extent in &all[first..] {
            if extent.span.start >= span.end {
                break;
            }
            self.note_effects(extent);
            self.value(extent);
        }
    }

    /// What `lower` adds, as a list of its own.
    pub fn apart<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> (T, Vec<Step>) {
        let before = std::mem::take(&mut self.steps);
        let result = lower(self);
        (result, std::mem::replace(&mut self.steps, before))
    }

    /// The variable of a symbol, or the copy of it that a region of OpenMP has.
    pub fn variable(&self, symbol: SymbolId) -> Option<VariableId> {
        let variable = self.known.variable_of(self.index, symbol)?;
        Some(self.regions.copy_of(variable, self.node))
    }

    pub fn ty(&self, id: TypeId) -> TypeRef {
        TypeRef {
            unit: self.index,
            id,
        }
    }

    pub fn kind(&self, id: TypeId) -> &'a TypeKind {
        self.unit.kind(id)
    }

    /// What a value of this type has become.
    pub fn decayed(&self, id: TypeId) -> TypeId {
        let target = match self.kind(id) {
            TypeKind::Array { element, .. } => *element,
            TypeKind::Function { .. } => id,
            _ => return id,
        };
        self.pointer_to(target)
    }

    /// The type of pointers to it, if the program has any.
    pub fn pointer_to(&self, id: TypeId) -> TypeId {
        self.pointers.get(&id).copied().unwrap_or(TypeId::UNKNOWN)
    }

    pub fn fresh(&mut self, ty: TypeId) -> ValueId {
        self.constant(ty, None)
    }

    /// A constant, which no step has to set.
    pub fn constant(&mut self, ty: TypeId, constant: Option<i128>) -> ValueId {
        let id = ValueId(self.values.len() as u32);
        let ty = self.ty(ty);
        self.values.push(Value {
            ty,
            constant,
            size_of: None,
        });
        id
    }

    /// A value that is the size of a type, or a multiple of that.
    pub fn sized(&mut self, value: ValueId, size_of: Option<TypeRef>) -> ValueId {
        self.values[value.0 as usize].size_of = size_of;
        value
    }

    /// Of which type a value is the size, or a multiple of that.
    pub fn size_of(&self, value: ValueId) -> Option<TypeRef> {
        self.values[value.0 as usize].size_of
    }

    pub fn constant_of(&self, value: ValueId) -> Option<i128> {
        self.values[value.0 as usize].constant
    }

    /// A value that comes from others.
    pub fn combined(
        &mut self,
        ty: TypeId,
        from: Vec<ValueId>,
        how: Combination,
        span: Span,
    ) -> ValueId {
        let into = self.fresh(ty);
        let from = if self.is_opaque(ty) { Vec::new() } else { from };
        self.push(StepKind::Combine { from, into, how }, span);
        into
    }

    /// No pointer survives in a value of this type.
    pub fn is_opaque(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Bool => true,
            TypeKind::Float(kind) | TypeKind::Complex(kind) => *kind != FloatKind::Other,
            _ => false,
        }
    }

    /// A new variable that the program has no name for.
    pub fn unnamed(
        &mut self,
        name: &str,
        kind: VariableKind,
        ty: TypeId,
        span: Span,
    ) -> VariableId {
        let id = VariableId(self.variables.len() as u32);
        let ty = self.ty(ty);
        self.variables.push(Variable {
            name: name.to_string(),
            kind,
            ty,
            symbol: None,
            storage: if self.is_initial {
                Storage::Static
            } else {
                Storage::Automatic
            },
            per_thread: false,
            owner: self.owner,
            is_shared: false,
            is_defined: true,
            is_set: true,
            declared: TextPlace {
                unit: self.index,
                span,
            },
        });
        id
    }

    /// All of a variable.
    pub fn whole(&self, variable: VariableId, ty: TypeId) -> Location {
        Location {
            base: super::model::Base::Variable(variable),
            path: Vec::new(),
            ty: self.ty(ty),
        }
    }

    /// The first element of the array there, as often as it is one.
    pub fn element(&mut self, mut place: Location, index: ValueId, ty: TypeId) -> Location {
        place.path.push(Projection::Element(index));
        place.ty = self.ty(ty);
        place
    }
}
