//! Walking statements and expressions without naming every kind.
//!
//! `children` of a node are what it directly contains, in the order of the text. Unevaluated operands (`sizeof x`) are
//! not children: nothing in them happens.

use super::model::{
    BinaryOperator, Declaration, Expression, ExpressionKind, ForStart, Initialiser,
    InitialiserList, Label, Statement, StatementKind,
};

impl Statement {
    /// Statements directly inside (not those in statement expressions).
    pub fn children(&self) -> Vec<&Statement> {
        let mut all = Vec::new();
        self.each_child(&mut |one| all.push(one));
        all
    }

    /// The same without a list, for who walks through everything.
    fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Statement)) {
        match &self.kind {
            StatementKind::Compound { items, .. } => items.iter().for_each(visit),
            StatementKind::If {
                then, otherwise, ..
            } => std::iter::once(&**then)
                .chain(otherwise.as_deref())
                .for_each(visit),
            StatementKind::While { body, .. }
            | StatementKind::DoWhile { body, .. }
            | StatementKind::For { body, .. }
            | StatementKind::Switch { body, .. }
            | StatementKind::Labelled { body, .. } => visit(body),
            _ => {}
        }
    }

    /// The same, to be changed.
    pub fn children_mut(&mut self) -> Vec<&mut Statement> {
        match &mut self.kind {
            StatementKind::Compound { items, .. } => items.iter_mut().collect(),
            StatementKind::If {
                then, otherwise, ..
            } => std::iter::once(&mut **then)
                .chain(otherwise.as_deref_mut())
                .collect(),
            StatementKind::While { body, .. }
            | StatementKind::DoWhile { body, .. }
            | StatementKind::For { body, .. }
            | StatementKind::Switch { body, .. }
            | StatementKind::Labelled { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// Expressions directly inside, those of declarations too, in the order of the text.
    pub fn expressions(&self) -> Vec<&Expression> {
        let mut all = Vec::new();
        self.each_expression(&mut |one| all.push(one));
        all
    }

    /// The same without a list, for who walks through everything.
    fn each_expression<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        match &self.kind {
            StatementKind::Expression(value) | StatementKind::Return(value) => {
                value.iter().for_each(visit);
            }
            StatementKind::If { condition, .. }
            | StatementKind::While { condition, .. }
            | StatementKind::DoWhile { condition, .. } => visit(condition),
            StatementKind::Switch { value, .. } => visit(value),
            StatementKind::For {
                start,
                condition,
                step,
                ..
            } => {
                match start {
                    ForStart::Nothing => {}
                    ForStart::Expression(value) => visit(value),
                    ForStart::Declaration(declaration) => declaration.each_expression(visit),
                }
                condition.iter().chain(step).for_each(visit);
            }
            StatementKind::Declaration(declaration) => declaration.each_expression(visit),
            StatementKind::Assembly(assembly) => {
                assembly.operands.iter().for_each(|one| visit(&one.value));
            }
            StatementKind::Labelled { label, .. } => match label {
                Label::Case(value) => visit(value),
                Label::CaseRange(low, high) => [low, high].into_iter().for_each(visit),
                Label::Name(_) | Label::Default => {}
            },
            _ => {}
        }
    }

    /// Calls `visit` for this statement and all inside, parents first. `false` skips what is inside.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Statement) -> bool) {
        if visit(self) {
            self.each_child(&mut |child| child.walk(visit));
        }
    }

    /// Whether a directive stands in it.
    pub fn holds_directives(&self) -> bool {
        let mut found = false;
        self.walk(&mut |one| {
            found |= matches!(one.kind, StatementKind::Directive(_));
            !found
        });
        found
    }

    /// Calls `visit` for every expression in this statement and the statements inside, parents first, statement
    /// expressions included.
    pub fn walk_expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        self.each_expression(&mut |expression| expression.walk(visit));
        self.each_child(&mut |child| child.walk_expressions(visit));
    }

    /// Calls `visit` for every declaration in this statement and the statements inside, those at heads of loops included.
    pub fn walk_declarations<'a>(&'a self, visit: &mut dyn FnMut(&'a Declaration)) {
        self.walk(&mut |statement| {
            match &statement.kind {
                StatementKind::Declaration(declaration)
                | StatementKind::For {
                    start: ForStart::Declaration(declaration),
                    ..
                } => visit(declaration),
                _ => {}
            }
            true
        });
    }

    /// The name that stands before it, for `goto`.
    pub fn label(&self) -> Option<&str> {
        match &self.kind {
            StatementKind::Labelled {
                label: Label::Name(name),
                ..
            } => Some(name),
            _ => None,
        }
    }

    /// Whether it is a loop statement.
    pub fn is_loop(&self) -> bool {
        matches!(
            self.kind,
            StatementKind::While { .. } | StatementKind::DoWhile { .. } | StatementKind::For { .. }
        )
    }

    /// Whether it is a loop, or has one inside.
    pub fn has_loop(&self) -> bool {
        let mut found = false;
        self.walk(&mut |one| {
            found |= one.is_loop();
            !found
        });
        found
    }
}

impl Declaration {
    /// Extents and initialisers, in the order of evaluation.
    pub fn expressions(&self) -> Vec<&Expression> {
        let mut all = Vec::new();
        self.each_expression(&mut |one| all.push(one));
        all
    }

    fn each_expression<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        for extent in &self.extents {
            visit(extent);
        }
        for declarator in &self.declarators {
            if let Some(initialiser) = &declarator.initialiser {
                initialiser.each_expression(visit);
            }
        }
    }
}

impl Initialiser {
    fn each_expression<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        match self {
            Initialiser::Expression(value) => visit(value),
            Initialiser::List(list) => list.each_expression(visit),
        }
    }
}

impl InitialiserList {
    /// Designators and values, those of inner lists too.
    pub fn expressions(&self) -> Vec<&Expression> {
        let mut all = Vec::new();
        self.each_expression(&mut |one| all.push(one));
        all
    }

    fn each_expression<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        for one in &self.designators {
            visit(one);
        }
        for item in &self.items {
            item.each_expression(visit);
        }
    }
}

impl Expression {
    /// Expressions directly inside that are (possibly) evaluated. The statement of a statement expression is not one,
    /// see [`Expression::walk`].
    pub fn children(&self) -> Vec<&Expression> {
        let mut all = Vec::new();
        self.each_child(&mut |one| all.push(one));
        all
    }

    /// The same without a list, for who walks through everything.
    fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        match &self.kind {
            ExpressionKind::Name { .. }
            | ExpressionKind::Number(_)
            | ExpressionKind::Text
            | ExpressionKind::Unevaluated(_)
            | ExpressionKind::Statement(_)
            | ExpressionKind::LabelAddress => {}
            ExpressionKind::Call { callee, arguments } => {
                std::iter::once(&**callee).chain(arguments).for_each(visit);
            }
            ExpressionKind::Unary(_, value)
            | ExpressionKind::Step(_, value)
            | ExpressionKind::Cast(value)
            | ExpressionKind::VariadicArgument(value)
            | ExpressionKind::Member { value, .. } => visit(value),
            ExpressionKind::Binary(_, left, right)
            | ExpressionKind::Logical { left, right, .. } => {
                visit(left);
                visit(right);
            }
            ExpressionKind::Assign { target, value, .. } => {
                visit(target);
                visit(value);
            }
            ExpressionKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                visit(condition);
                then.iter().for_each(|one| visit(one));
                visit(otherwise);
            }
            ExpressionKind::Comma(values) | ExpressionKind::Generic(values) => {
                values.iter().for_each(visit);
            }
            ExpressionKind::Index { array, index } => {
                visit(array);
                visit(index);
            }
            ExpressionKind::Compound(list) => list.each_expression(visit),
        }
    }

    /// Whether its evaluation may do more than give a value, apart from what is inside.
    pub fn is_effect(&self) -> bool {
        matches!(
            self.kind,
            ExpressionKind::Call { .. }
                | ExpressionKind::Assign { .. }
                | ExpressionKind::Step(..)
                | ExpressionKind::Statement(_)
                | ExpressionKind::VariadicArgument(_)
        )
    }

    /// Whether an assignment evaluates its value before its target: C leaves the order open; compilers do so, but for `x[f()] = g()`.
    pub fn value_comes_first(operator: Option<BinaryOperator>, value: &Expression) -> bool {
        operator.is_some() || !matches!(value.kind, ExpressionKind::Call { .. })
    }

    /// Calls `visit` for this expression and all inside, parents first, statement expressions included.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        visit(self);
        if let ExpressionKind::Statement(body) = &self.kind {
            body.walk_expressions(visit);
        }
        self.each_child(&mut |child| child.walk(visit));
    }

    /// It without the casts around it.
    pub fn without_casts(&self) -> &Expression {
        match &self.kind {
            ExpressionKind::Cast(inner) => inner.without_casts(),
            _ => self,
        }
    }

    /// The symbol when the expression is just a name.
    pub fn symbol(&self) -> Option<super::model::SymbolId> {
        match self.kind {
            ExpressionKind::Name { symbol, .. } => symbol,
            _ => None,
        }
    }
}
