//! Inline assembly: operands, clobbers and labels.
//!
//! The normaliser makes an expression of the statement, `("template", "=r"(x), "r"(y), "memory", label)`: operands are
//! calls of their constraints there, clobbers are strings, labels are names.

use lang_c::ast;
use lang_c::span::Node;

use super::convert::Converter;
use super::tree::Assembly;
use crate::source::Span;
use crate::source::lexer::tokens;

/// Instructions that only put accesses into an order, or do nothing.
const HARMLESS: [&str; 9] = [
    "mfence", "lfence", "sfence", "pause", "nop", "dmb", "dsb", "isb", "yield",
];

impl Converter<'_> {
    pub(super) fn assembly(&self, value: &Node<ast::Expression>, span: Span) -> Assembly {
        let parts: Vec<&Node<ast::Expression>> = match &value.node {
            ast::Expression::Comma(values) => values.iter().collect(),
            _ => vec![value],
        };
        let (mut operands, mut labels, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match &part.node {
                ast::Expression::StringLiteral(pieces) => texts.push(text(&pieces.node)),
                ast::Expression::Identifier(name) => labels.push(self.name(name)),
                ast::Expression::Call(call) => {
                    let constraint = match &call.node.callee.node {
                        ast::Expression::StringLiteral(pieces) => text(&pieces.node),
                        _ => String::new(),
                    };
                    let values = call.node.arguments.iter();
                    operands.extend(values.map(|one| (constraint.clone(), self.expression(one))));
                }
                _ => {}
            }
        }
        let spelt = self.spelt(span).as_bytes();
        let is_basic = !tokens(spelt).iter().any(|token| token.text(spelt) == b":");
        let (template, clobbers) = match texts.split_first() {
            Some((template, clobbers)) => (template.as_str(), clobbers),
            None => ("", texts.as_slice()),
        };
        let says_so = is_basic || clobbers.iter().any(|one| one == "memory");
        let is_barrier = is_harmless(template);
        Assembly {
            template: template.to_string(),
            operands,
            labels,
            changes_memory: says_so && !is_barrier,
            is_barrier,
            may_call: may_call(template),
        }
    }
}

/// What stands between the quotes.
fn text(pieces: &[String]) -> String {
    let inner = |piece: &String| {
        let begin = piece.find('"').map_or(0, |at| at + 1);
        let rest = &piece[begin..];
        rest.strip_suffix('"').unwrap_or(rest).to_string()
    };
    pieces.iter().map(inner).collect()
}

/// The instructions of a template.
fn instructions(template: &str) -> impl Iterator<Item = &str> {
    let lines = template.split([';', '\n']);
    let lines = lines.flat_map(|line| line.split("\\n"));
    lines.filter_map(|line| {
        let words = line.split([' ', '\t']);
        // A tab is written `\t` in the template.
        let mut words = words.map(|word| word.trim_start_matches("\\t").trim_end_matches("\\t"));
        words.find(|word| !matches!(*word, "" | "lock") && !word.ends_with(':'))
    })
}

/// Whether a template does no more than to put accesses into an order.
fn is_harmless(template: &str) -> bool {
    instructions(template).all(|word| HARMLESS.contains(&word))
}

/// Whether a template may call a function: what looks like a call or a jump, or a macro of the assembler.
fn may_call(template: &str) -> bool {
    const CALLS: [&str; 5] = ["call", "jmp", "bl", "br", "."];
    instructions(template).any(|word| CALLS.iter().any(|call| word.starts_with(call)))
}

#[cfg(test)]
mod tests {
    use super::{is_harmless, may_call};

    #[test]
    fn a_barrier_changes_nothing() {
        assert!(is_harmless(""));
        assert!(is_harmless("mfence\\n\\t"));
        assert!(is_harmless("nop; nop"));
        assert!(!is_harmless("lock; xaddl %0, %1"));
        assert!(!is_harmless("movl %1, (%0)"));
        assert!(!is_harmless("rep stosb"));
        assert!(!is_harmless("call f"));
        assert!(may_call("1: mov %0, %%rdi\\n\\tcallq *%1") && !may_call("lock; xaddl %0, %1"));
    }
}
