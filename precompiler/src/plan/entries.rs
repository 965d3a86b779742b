//! Checkpoints at the begin or the end of a loop's body: a restart comes back through the loop's head.
//!
//! A label inside a loop makes it a loop with two entries, and compilers then forget what they know about it: a
//! checkpoint in an innermost loop costs 20 to 100 %. When the checkpoint is the first thing in the body and the
//! condition has no effect, the label stands before the loop instead, the condition is evaluated once more (or passed over
//! as well, where what it reads need not be in the checkpoint), and the checkpoint is passed over once. When it is the last thing, what the loop does after its body is done at the label.
//!
//! ```c
//! for (k = 0; k < n; k++) { checkpoint; … }
//! k = 0; if (0) { label: … } for (; k < n; k++) { checkpoint; … }
//! ```

use super::arguments::is_pure;
use super::builder::Builder;
use super::data::{LoopEntry, Step};
use super::raw::RawEdit;
use crate::analysis::constants::is_automatic;
use crate::program::{
    Directive, DirectiveId, Expression, ExpressionKind, ForStart, ScopeId, Statement,
    StatementKind, SymbolId, UnaryOperator,
};
use crate::source::{SourceRange, Span};

/// The head of a loop.
pub struct Head<'a> {
    /// Before the first `;` of a `for`.
    pub start: Option<&'a ForStart>,
    /// The condition.
    pub condition: Option<&'a Expression>,
    /// After each iteration.
    pub step: Option<&'a Expression>,
    /// The scope of names declared in the head.
    pub scope: ScopeId,
}

impl<'a> Builder<'a> {
    /// Decides, before the body is walked, whether its checkpoint is reached through the head.
    pub fn plan_entry(
        &mut self,
        s: &Statement,
        head: &Head<'a>,
        body: &'a Statement,
    ) -> Option<DirectiveId> {
        let StatementKind::Compound { items, .. } = &body.kind else {
            return None;
        };
        let checkpoint = |item: Option<&Statement>| match item?.kind {
            StatementKind::Directive(id) => {
                let is = matches!(
                    self.unit.directives[id.0].directive,
                    Directive::Checkpoint { stands: None, .. }
                );
                is.then_some(id)
            }
            _ => None,
        };
        let first = checkpoint(items.first()).map(|id| (id, LoopEntry::First));
        let last = checkpoint(items.last()).map(|id| (id, LoopEntry::Last));
        let (id, kind) = first.or(last)?;
        // A second one on the other side keeps its label inside.
        let plain = |e: &Expression| !self.has_call(e);
        let start_is_plain = match head.start {
            None | Some(ForStart::Nothing) => true,
            Some(ForStart::Expression(e)) => plain(e),
            Some(ForStart::Declaration(declaration)) => {
                !declaration.variably_modified
                    && !declaration.defines_type
                    && declaration.expressions().into_iter().all(plain)
            }
        };
        let condition_is_plain = head.condition.is_none_or(|e| match kind {
            LoopEntry::First => is_pure(e) && !self.is_volatile(e),
            _ => plain(e),
        });
        let region_inside = kind == LoopEntry::Last
            && items.iter().any(
                |item| matches!(&item.kind, StatementKind::Declaration(one) if one.variably_modified),
            );
        let fits = start_is_plain
            && condition_is_plain
            && head.step.is_none_or(plain)
            && !region_inside
            && s.place.is_some()
            && body.place.is_some();
        fits.then(|| {
            self.entries
                .insert(id, (kind, head.scope, body.span.start, 0));
            id
        })
    }

    /// Writes the loop's head anew, with the label before it.
    pub fn write_entry(
        &mut self,
        s: &'a Statement,
        head: &Head<'a>,
        body: &'a Statement,
        id: DirectiveId,
    ) {
        let Some(&(kind, _, _, block)) = self.entries.get(&id) else {
            return;
        };
        let start = match head.start {
            None | Some(ForStart::Nothing) => String::new(),
            Some(ForStart::Expression(e)) => format!("{}; ", self.render(e.span)),
            Some(ForStart::Declaration(declaration)) => {
                let text = self.render(declaration.span);
                format!("{}; ", text.trim_end_matches(';').trim_end())
            }
        };
        let condition = head
            .condition
            .map_or_else(String::new, |e| self.render(e.span));
        let step = head.step.map_or_else(String::new, |e| self.render(e.span));
        let again = match kind {
            LoopEntry::Last if !step.is_empty() => format!("{step}; "),
            _ => String::new(),
        };
        let declares = matches!(head.start, Some(ForStart::Declaration(_)));
        let braces = declares || !s.in_compound;
        let open = if braces { "{ " } else { "" };
        let mut steps = vec![
            Step::Text(format!("{open}{start}")),
            Step::Resume { block, step: again },
        ];
        let at = self.sites[block - 1].position;
        let is_kept = |e: &Expression| kind == LoopEntry::Last || self.is_kept(e, head, body, at);
        if head.condition.is_none_or(is_kept) {
            steps.push(Step::Text(format!("for (; {condition}; {step}) ")));
        } else {
            steps.push(Step::Text("for (; ".to_string()));
            steps.push(Step::ComingBack { block });
            steps.push(Step::Text(format!("({condition}); {step}) ")));
        }
        let span = Span::new(s.span.start, body.span.start);
        let place = s
            .place
            .zip(body.place)
            .map(|(s, body)| SourceRange::new(s.start, body.start));
        self.raw.push(RawEdit {
            span,
            place,
            order: 0,
            steps,
        });
        if braces {
            self.after(s, self.depth * 10 + 1, vec![Step::Text(" }".to_string())]);
        }
    }

    /// Whether a condition reads only locals that the body leaves alone, which have the values with which it was entered, and
    /// which a restart from the checkpoint at `at` brings. Others may have been true when the body was entered and be
    /// overwritten before anybody reads them again, or be read by nobody, where the body leaves the loop; and then no
    /// checkpoint has their values.
    fn is_kept(&self, condition: &Expression, head: &Head, body: &Statement, at: usize) -> bool {
        let mut kept = self.picture.flow.may_follow(at, condition.span.start);
        condition.walk(&mut |inner| {
            kept &= match &inner.kind {
                ExpressionKind::Number(_)
                | ExpressionKind::Binary(..)
                | ExpressionKind::Logical { .. }
                | ExpressionKind::Cast(_) => true,
                ExpressionKind::Unary(operator, _) => *operator != UnaryOperator::Indirection,
                ExpressionKind::Name {
                    symbol: Some(symbol),
                    ..
                } => {
                    let facts = self.symbol(*symbol);
                    let mut changes = false;
                    if let Some(step) = head.step {
                        step.walk(&mut |one| {
                            // `k += 2` reads it first.
                            changes |= matches!(&one.kind, ExpressionKind::Assign { operator: None, target, .. }
                                if target.symbol() == Some(*symbol));
                        });
                    }
                    body.walk_expressions(&mut |one| {
                        let (ExpressionKind::Assign { target, .. }
                        | ExpressionKind::Step(_, target)) = &one.kind
                        else {
                            return;
                        };
                        changes |= target.symbol() == Some(*symbol);
                    });
                    is_automatic(facts)
                        && !facts.address_taken
                        && !changes
                        && self.is_brought(*symbol, at)
                }
                _ => false,
            };
        });
        kept
    }

    /// Whether a restart from a checkpoint gives a local its value.
    fn is_brought(&self, symbol: SymbolId, at: usize) -> bool {
        let registered = self.shadow_of(symbol, at).is_some_and(|index| {
            let places = &self.shadow_facts[index].registered;
            places
                .iter()
                .any(|&place| self.picture.may_precede(place, at))
        });
        registered || self.is_steady_parameter(symbol) || self.is_constant_local(symbol)
    }

    /// Whether evaluating it looks at something volatile.
    fn is_volatile(&self, e: &Expression) -> bool {
        let mut volatile = false;
        e.walk(&mut |inner| {
            volatile |= self.unit.ty(inner.ty).qualifiers.is_volatile;
        });
        volatile
    }
}
