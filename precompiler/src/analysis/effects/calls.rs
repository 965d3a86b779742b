//! What a call does: functions of the program, of libraries, and those that nobody knows.

use crate::analysis::memory::CellId;
use crate::analysis::unknown::Use;
use crate::dataflow::steps::{Call, Called, Routine, RoutineId};
use crate::source::Span;

use super::lower::{Lowering, list_of};
use super::model::{Action, ActionKind, Note, SetId};

impl Lowering<'_> {
    /// A call: of functions of the program, of the library, or of what nobody knows.
    pub(super) fn call(
        &mut self,
        id: RoutineId,
        routine: &Routine,
        call: &Call,
        span: Span,
        to: &mut Vec<Action>,
    ) {
        for argument in &call.arguments {
            if let Some(place) = &argument.aggregate {
                self.read(id, place, argument.span, to);
            }
        }
        let callees = self.points_to.callees(id, call);
        let mut lists: Vec<Vec<Action>> = Vec::new();
        if !callees.routines.is_empty() {
            let kind = ActionKind::Call {
                routines: callees.routines.into(),
                surely: true,
                spared: SetId::default(),
            };
            lists.push(vec![Action { kind, span }]);
        }
        for name in &callees.named {
            let mut actions = Vec::new();
            match self.catalogue.find(name) {
                Some(function) => {
                    self.library(id, routine, call, &function, span, &mut actions);
                }
                None => self.unknown(id, call, Some(name.clone()), span, &mut actions),
            }
            lists.push(actions);
        }
        let lost = lists.is_empty() && !matches!(call.callee, Called::Routine(_));
        if callees.unknown || lost {
            let mut actions = Vec::new();
            self.unknown(id, call, None, span, &mut actions);
            lists.push(actions);
        }
        match lists.len() {
            0 => {}
            1 => to.extend(lists.pop().unwrap_or_default()),
            _ => to.push(Action {
                kind: ActionKind::Choose(lists),
                span,
            }),
        }
        if let Some(variable) = call.aggregate
            && let Some(object) = self.points_to.variable(variable)
        {
            let all = self.points_to.memory.objects[object.0 as usize].is_single;
            let cells = self.object(object);
            self.push_write(cells, all, span, to);
        }
    }

    /// An unknown function.
    fn unknown(
        &mut self,
        id: RoutineId,
        call: &Call,
        name: Option<String>,
        span: Span,
        to: &mut Vec<Action>,
    ) {
        let mut cells: Vec<CellId> = Vec::new();
        for (index, argument) in call.arguments.iter().enumerate() {
            let ty = self.steps.routine(id).value(argument.value).ty;
            let given = (&self.program.units[ty.unit], ty.id);
            let takes = name.as_ref().map_or(Use::Anything, |name| {
                self.points_to.takes(name, index, given)
            });
            if takes != Use::Anything && argument.aggregate.is_none() {
                let touched = self.points_to.behind(id, argument.value, None).cells;
                self.through_pointer(&touched);
                self.push_read(touched.to_vec(), span, to);
                if takes == Use::Fills {
                    self.push_write(touched.to_vec(), false, span, to);
                }
                continue;
            }
            match &argument.aggregate {
                Some(place) => {
                    for cell in &*self.points_to.touched(id, place).cells {
                        cells.extend(self.points_to.pointees(*cell));
                    }
                }
                None => cells.extend(self.points_to.targets(id, argument.value)),
            }
        }
        let mut all = self.points_to.reachable(cells);
        all.union_with(&self.outside);
        let cells = list_of(&all);
        self.through_pointer(&cells);
        self.push_read(cells.clone(), span, to);
        let routines = self.from_outside.clone();
        if !routines.is_empty() {
            let kind = ActionKind::Call {
                routines,
                surely: false,
                spared: SetId::default(),
            };
            to.push(Action { kind, span });
        }
        self.push_write(cells, false, span, to);
        let mut kinds = vec![ActionKind::Note(Note::Unknown(name))];
        if self.jumps {
            let jump = Action {
                kind: ActionKind::Jump,
                span,
            };
            kinds.push(ActionKind::Choose(vec![Vec::new(), vec![jump]]));
        }
        to.extend(kinds.into_iter().map(|kind| Action { kind, span }));
    }
}
