//! The program as text, for `--emit program` and golden tests.
//!
//! One line per node, indented; each with its type, and its place in the user's file as `line:column-line:column` (`?`
//! when it is not certain).

use std::fmt::Write;

use super::model::{
    Declaration, Directive, DirectiveUse, Expression, ExpressionKind, ForStart, Function,
    Initialiser, InitialiserList, Item, Label, Statement, StatementKind, Symbol, SymbolId,
    SymbolKind, Unit,
};
use super::types::TypeId;
use crate::source::SourceRange;

/// The unit's own functions with their symbols and trees.
pub fn program_text(unit: &Unit) -> String {
    let mut dump = Dump {
        unit,
        out: String::new(),
        depth: 0,
    };
    dump.line(&format!(
        "unit {}{}",
        unit.file.path,
        if unit.uses_mpi { " (MPI)" } else { "" }
    ));
    dump.depth = 1;
    for symbol in &unit.scopes[0].symbols {
        let symbol = &unit.symbols[symbol.0];
        if symbol.kind == SymbolKind::Variable && unit.file.is_own(symbol.declared.start) {
            let text = dump.symbol(symbol);
            dump.line(&text);
        }
    }
    for function in unit
        .functions
        .iter()
        .filter(|function| function.in_user_file)
    {
        dump.function(function);
    }
    dump.out
}

/// The directives with everything resolved, for `--emit directives`.
pub fn directives_text(unit: &Unit) -> String {
    let mut dump = Dump {
        unit,
        out: String::new(),
        depth: 0,
    };
    for (index, directive) in unit.directives.iter().enumerate() {
        let text = dump.directive(index, directive);
        dump.line(&text);
        if let Directive::Register { items } = &directive.directive {
            dump.depth = 1;
            for item in items {
                let text = dump.item(item);
                dump.line(&text);
            }
            dump.depth = 0;
        }
    }
    dump.out
}

struct Dump<'a> {
    unit: &'a Unit,
    out: String,
    depth: usize,
}

impl Dump<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = self.depth * 2);
    }

    fn ty(&self, ty: TypeId) -> String {
        self.unit
            .spell_qualified(ty, "")
            .unwrap_or_else(|why| format!("<{why:?}>"))
    }

    fn place(&self, place: Option<SourceRange>) -> String {
        match place {
            None => "?".to_string(),
            Some(range) => {
                let (line, column) = self.unit.file.line_and_column(range.start);
                let (end_line, end_column) = self.unit.file.line_and_column(range.end);
                format!("{line}:{column}-{end_line}:{end_column}")
            }
        }
    }

    fn symbol(&self, symbol: &Symbol) -> String {
        let mut text = format!(
            "{} {}: {}",
            format!("{:?}", symbol.storage).to_lowercase(),
            symbol.name,
            self.ty(symbol.ty)
        );
        for (set, word) in [
            (symbol.per_thread, "one per thread"),
            (symbol.address_taken, "address taken"),
            (symbol.assigned_after_declaration, "assigned"),
            (
                symbol
                    .initialiser
                    .as_ref()
                    .is_some_and(|fact| fact.constant),
                "constant initialiser",
            ),
            (symbol.cleanup, "cleanup"),
            (symbol.copied, "copied"),
            (symbol.without_effects, "without effects"),
        ] {
            if set {
                let _ = write!(text, ", {word}");
            }
        }
        text
    }

    fn function(&mut self, function: &Function) {
        let mut head = format!(
            "function {} -> {}",
            function.name,
            self.ty(function.return_type)
        );
        for (set, word) in [
            (function.is_static, "static"),
            (function.is_inline, "inline"),
            (function.variadic, "variadic"),
            (function.old_style, "old style"),
            (function.body_open.is_none(), "no brace of its own"),
        ] {
            if set {
                let _ = write!(head, ", {word}");
            }
        }
        self.line(&head);
        self.depth += 1;
        for parameter in &function.parameters {
            let text = format!("parameter {}", self.symbol(&self.unit.symbols[parameter.0]));
            self.line(&text);
        }
        self.statement(&function.body);
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        let place = self.place(statement.place);
        for pragma in &statement.openmp {
            let place = self.place(pragma.place);
            self.line(&format!("omp {} @{place}", pragma.text));
        }
        let head = match &statement.kind {
            StatementKind::Compound { .. } => "compound".to_string(),
            StatementKind::Expression(None) => "empty".to_string(),
            StatementKind::Expression(Some(_)) => "expression".to_string(),
            StatementKind::If { .. } => "if".to_string(),
            StatementKind::While { .. } => "while".to_string(),
            StatementKind::DoWhile { .. } => "do".to_string(),
            StatementKind::For { .. } => "for".to_string(),
            StatementKind::Switch { .. } => "switch".to_string(),
            StatementKind::Labelled { label, .. } => match label {
                Label::Name(name) => format!("label {name}"),
                Label::Case(_) | Label::CaseRange(..) => "case".to_string(),
                Label::Default => "default".to_string(),
            },
            StatementKind::Goto(name) => format!("goto {}", name.as_deref().unwrap_or("*")),
            StatementKind::Break => "break".to_string(),
            StatementKind::Continue => "continue".to_string(),
            StatementKind::Return(_) => "return".to_string(),
            StatementKind::Declaration(_) => "declaration".to_string(),
            StatementKind::Directive(id) => self.directive(id.0, &self.unit.directives[id.0]),
            StatementKind::OpenMp(construct) => format!("omp {}", construct.text),
            StatementKind::Assembly(_) => "asm".to_string(),
        };
        let touched = if statement.touched_by_macro {
            " macro"
        } else {
            ""
        };
        self.line(&format!("{head} @{place}{touched}"));
        self.depth += 1;
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::For {
                start: ForStart::Declaration(declaration),
                condition,
                step,
                ..
            } => {
                self.declaration(declaration);
                for value in condition.iter().chain(step) {
                    self.expression(value);
                }
            }
            _ => {
                for value in statement.expressions() {
                    self.expression(value);
                }
            }
        }
        for child in statement.children() {
            self.statement(child);
        }
        self.depth -= 1;
    }

    fn declaration(&mut self, declaration: &Declaration) {
        if declaration.variably_modified {
            self.line("variably modified");
        }
        for extent in &declaration.extents {
            self.expression(extent);
        }
        for declarator in &declaration.declarators {
            let text = self.symbol(&self.unit.symbols[declarator.symbol.0]);
            self.line(&text);
            self.depth += 1;
            match &declarator.initialiser {
                Some(Initialiser::Expression(value)) => self.expression(value),
                Some(Initialiser::List(list)) => self.list(list),
                None => {}
            }
            self.depth -= 1;
        }
    }

    fn list(&mut self, list: &InitialiserList) {
        let place = self.place(list.place);
        self.line(&format!("list of {} @{place}", list.items.len()));
        self.depth += 1;
        for item in &list.items {
            match item {
                Initialiser::Expression(value) => self.expression(value),
                Initialiser::List(list) => self.list(list),
            }
        }
        self.depth -= 1;
    }

    fn expression(&mut self, expression: &Expression) {
        let name = |symbol: &Option<SymbolId>| if symbol.is_some() { "" } else { " (unknown)" };
        let head = match &expression.kind {
            ExpressionKind::Name { name: text, symbol } => format!("name {text}{}", name(symbol)),
            ExpressionKind::Number(Some(value)) => format!("number {value}"),
            ExpressionKind::Number(None) => "number".to_string(),
            ExpressionKind::Text => "text".to_string(),
            ExpressionKind::Call { .. } => "call".to_string(),
            ExpressionKind::Unary(operator, _) => format!("{operator:?}").to_lowercase(),
            ExpressionKind::Step(operator, _) => format!("{operator:?}").to_lowercase(),
            ExpressionKind::Binary(operator, ..) => format!("{operator:?}").to_lowercase(),
            ExpressionKind::Logical { and, .. } => {
                if *and { "logical and" } else { "logical or" }.to_string()
            }
            ExpressionKind::Assign { operator: None, .. } => "assign".to_string(),
            ExpressionKind::Assign {
                operator: Some(operator),
                ..
            } => {
                format!("assign {}", format!("{operator:?}").to_lowercase())
            }
            ExpressionKind::Conditional { .. } => "conditional".to_string(),
            ExpressionKind::Comma(_) => "comma".to_string(),
            ExpressionKind::Cast(_) => "cast".to_string(),
            ExpressionKind::Member {
                name,
                through_pointer,
                ..
            } => {
                format!("member {}{name}", if *through_pointer { "->" } else { "." })
            }
            ExpressionKind::Index { .. } => "index".to_string(),
            ExpressionKind::Unevaluated(_) => "unevaluated".to_string(),
            ExpressionKind::Compound(_) => "compound literal".to_string(),
            ExpressionKind::Statement(_) => "statement expression".to_string(),
            ExpressionKind::Generic(_) => "generic".to_string(),
            ExpressionKind::VariadicArgument(_) => "variadic argument".to_string(),
            ExpressionKind::LabelAddress => "label address".to_string(),
        };
        let text = format!(
            "{head}: {} @{}",
            self.ty(expression.ty),
            self.place(expression.place)
        );
        self.line(&text);
        self.depth += 1;
        if let ExpressionKind::Statement(body) = &expression.kind {
            self.statement(body);
        }
        for child in expression.children() {
            self.expression(child);
        }
        self.depth -= 1;
    }

    fn directive(&self, index: usize, one: &DirectiveUse) -> String {
        let what = match &one.directive {
            Directive::Init {
                communicator,
                heap_fixed,
            } => {
                let heap = if *heap_fixed { " heap fixed" } else { "" };
                match communicator {
                    Some(clause) => format!("init comm {}{heap}", clause.text),
                    None => format!("init{heap}"),
                }
            }
            Directive::Register { items } => {
                let names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
                format!("register {}", names.join(", "))
            }
            Directive::Unregister { names } => format!("unregister {}", names.join(", ")),
            Directive::Checkpoint {
                every,
                condition,
                ranks,
                messages_counted,
                name,
                stands,
            } => {
                let mut text = "checkpoint".to_string();
                for (word, clause) in [("every", every), ("if", condition)] {
                    if let Some(clause) = clause {
                        let known = if clause.expression.is_some() {
                            ""
                        } else {
                            " (not resolved)"
                        };
                        let _ = write!(text, " {word} {}{known}", clause.text);
                    }
                }
                if let Some(ranks) = ranks {
                    let _ = write!(text, " ranks {ranks}");
                }
                if *messages_counted {
                    text.push_str(" messages counted");
                }
                if let Some(name) = name {
                    let _ = write!(text, " name {name}");
                }
                if let Some(stands) = stands {
                    let _ = write!(text, " {}", stands.word());
                }
                text
            }
            Directive::ExecuteOnRestart { each: false } => "execute on restart".to_string(),
            Directive::ExecuteOnRestart { each: true } => "execute on restart each".to_string(),
            Directive::EndExecute => "end execute".to_string(),
            Directive::Shutdown => "shutdown".to_string(),
            Directive::Client { names } => format!("client {}", names.join(", ")),
        };
        let function = one.function.map_or("file scope".to_string(), |id| {
            self.unit.functions[id.0].name.clone()
        });
        let partner = one.partner.map_or(String::new(), |partner| {
            format!(", with directive {}", partner.0)
        });
        format!(
            "directive {index}: {what} (line {}, in {function}{partner})",
            one.line
        )
    }

    fn item(&self, item: &Item) -> String {
        let extents: Vec<String> = item
            .extents
            .iter()
            .map(|extent| match extent.value {
                Some(value) if value.to_string() != extent.text => {
                    format!("{} = {value}", extent.text)
                }
                _ => extent.text.clone(),
            })
            .collect();
        let lower = item
            .lower
            .as_ref()
            .map_or(String::new(), |lower| format!(" from {}", lower.text));
        format!(
            "item {} @{}: {:?}, base {}: {}, element {}, extents [{}]{lower}",
            item.name,
            self.place(Some(item.place)),
            item.kind,
            item.base_text,
            self.ty(item.base_type),
            self.ty(item.element),
            extents.join("; "),
        )
    }
}
