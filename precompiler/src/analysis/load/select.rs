//! From the work of loops to those that are worth a checkpoint.
//!
//! `h(l) = −ln(I(l)·A(l))`, where `I` and `A` are the shares of the program's instructions and accesses. Candidates are the
//! outermost loops of the program (calls are followed: a loop in a function that is called from a loop is not outermost
//! there). Their values, sorted, make a curve that rises, and the curve is cut
//!
//! 1. where a loop does less than a twentieth of the work (`h` of both shares at 0.05), whatever comes before it;
//! 2. before that, at the first step (first derivative) that is as high as for a loop that does two fifths of what the one before it does,
//!    and that is steeper than the step before (second derivative above zero).
//!
//! The first loop is always taken, as long as it does a hundredth of the work.
//!
//! Unknown bounds are guessed, and the loops that set a program up often are as deep as those that compute.
//! Where the loops that were taken rest on such a guess, and none of them goes over the same data again and again
//! (`repeats`), the first that does is taken too, and comes first; unless it does less than a thousandth of the others, or
//! a millionth if it rests on such bounds itself. A checkpoint too many is a call that counts; one too few is a run that
//! begins anew. So all others of this kind are named as well, for whoever can serve them too ([`Load::worth`]).
//!
//! What is known is not weighed against guesses: such a loop of which all bounds are known is named as well where it surely does
//! [`SURELY`] much. Nor are alternatives weighed against each other (`alternatives`): such a loop is named as well where it does a twentieth
//! of the work of those runs that come to it.
//!
//! Where none of them can be served, the first loops of the others that go over the same data again and again may do in their place,
//! with a thousandth of what the first of these does ([`Load::next`]).
//!
//! Where they are too many, loops of `main` itself come first: a program of several modes, each of which ends the run, does its
//! work there, while the guesses make that of the deepest mode the largest.
//!
//! What only reads input, and does no more than a fixed amount of work with each thing that it reads, is not named beside these.
//!
//! Loops that stand aside of the work (`aside`) are left out where another one goes over the same data again and again.
//!
//! Where there may be few passes of what is taken, what does the work of one pass is named as well (`passes`).

use super::judge::{LoopAt, Subject};
use super::model::{Load, LoopLoad, SelectedLoop};
use super::profile::Profile;
use crate::analysis::points_to::PointsTo;
use crate::catalog::Catalogue;
use crate::dataflow::steps::Steps;
use crate::program::Program;
use std::collections::BTreeSet;

/// `h` at a share of 0.05 and of 0.01.
pub const SMALL: f64 = 5.991;
const TINY: f64 = 9.211;
/// The step in `h` when the next loop does two fifths of the work.
const STEEP: f64 = 1.832;
/// The step in `h` when it does a thousandth: what an unknown bound counts as.
const GUESS: f64 = 13.816;
/// So many instructions are a checkpoint's worth where they are known, whatever is guessed of others: about a millisecond.
const SURELY: f64 = 1e6;
/// What is around a loop that is taken.
const NONE: &str = "no loop is around it";
const SELDOM: &str =
    "no loop is around it but one that iterates once unless the program is told otherwise";
/// Why a loop is taken that does not do the most.
const AGAIN: &str =
    ", it goes over the same data again and again, unlike those that seem to do more";
/// Why others are taken beside them.
const ALSO: &str = "no loop is around it, and it goes over the same data again and again, how often is unknown before the run";
const SURE: &str = "no loop is around it, and it goes over the same data again and again, while the bounds of loops that seem to do \
     more are unknown before the run";
/// No more of them.
const MOST_FURTHER: usize = 8;
/// So many of these are for loops of `main`, before all others.
const MOST_OF_MAIN: usize = 4;
/// Why a loop is taken in the place of others.
const NEXT: &str = ", it goes over the same data again and again";
/// No more of them.
const MOST_NEXT: usize = 4;
impl Load {
    /// Looks at a program.
    pub fn of(
        program: &Program,
        steps: &Steps,
        points_to: &PointsTo,
        catalogue: &Catalogue,
        given: Option<&Profile>,
    ) -> Load {
        let profile = given.filter(|profile| profile.fits(steps));
        let subject = Subject::of(program, steps, points_to, catalogue, profile);
        let look = |once: &BTreeSet<_>| Load::with(&subject, given.is_some(), once);
        let mut load = look(&BTreeSet::new());
        // What iterates once as a rule is no place where many checkpoints are taken: what is in it is looked at, too.
        let is_taken = |load: &Load, at: LoopAt| {
            let mut selected = load.selected.iter();
            selected.any(|one| one.at() == at)
        };
        let options = load.all.iter().filter(|one| one.is_option);
        let options = options.map(LoopLoad::at);
        let once: BTreeSet<_> = options.filter(|at| is_taken(&load, *at)).collect();
        if !once.is_empty() {
            for mut one in look(&once).selected {
                if !is_taken(&load, one.at()) {
                    one.reason = one.reason.replacen(NONE, SELDOM, 1);
                    load.selected.push(one);
                }
            }
            let further = std::mem::take(&mut load.further).into_iter();
            let further = further.filter(|one| !is_taken(&load, one.at()));
            load.further = further.collect();
        }
        if subject.profile.is_none() {
            let taken: Vec<LoopAt> = load.worth().map(SelectedLoop::at).collect();
            let [of_jobs, of_passes] = subject.inside(&taken, &load.all, &once);
            // The work of jobs comes before others, of which nobody knows whether they do much.
            load.further.splice(0..0, of_jobs);
            load.further.truncate(MOST_FURTHER);
            load.further.extend(of_passes);
        }
        load
    }

    /// The same, with some loops that are taken to iterate `once`.
    fn with(subject: &Subject<'_>, has_profile: bool, once: &BTreeSet<LoopAt>) -> Load {
        let (program, steps, profile) = (subject.program, subject.steps, subject.profile);
        let mut load = Load {
            all: subject.loops(once, None),
            ..Load::default()
        };
        let leaves_out = leave_out(&mut load.all);
        let mut candidates: Vec<&LoopLoad> = (load.all.iter())
            .filter(|one| one.excluded.is_none() && one.is_outermost)
            .filter(|one| !(leaves_out && one.aside.is_some()))
            .collect();
        candidates.sort_by(|a, b| a.value.total_cmp(&b.value));
        let values: Vec<f64> = candidates.iter().map(|one| one.value).collect();
        let chosen = cut(&values);
        let hidden = |one: &LoopLoad, guessed: f64| match (one.repeats, one.is_guessed) {
            (false, _) => None,
            (true, true) => Some(guessed),
            (true, false) if one.work >= SURELY => Some(f64::INFINITY),
            (true, false) => Some(GUESS),
        };
        let is_guessed = candidates[..chosen].iter().any(|one| one.is_guessed);
        let more = match profile {
            None if is_guessed => {
                let hidden = candidates.iter().map(|one| hidden(one, 2.0 * GUESS));
                further(&values, &hidden.collect::<Vec<_>>(), chosen)
            }
            _ => None,
        };
        let how = match (has_profile, profile) {
            (_, Some(_)) => "measured by the profile",
            (true, None) => "estimated: the profile names none of its functions",
            (false, None) => "estimated from statements, accesses and bounds of loops",
        };
        let others: Vec<usize> = match profile {
            None => {
                let most = |one: &&LoopLoad| match alternative(one) {
                    Some(_) => Some(f64::INFINITY),
                    None => hidden(one, f64::INFINITY),
                };
                also(
                    &values,
                    &candidates.iter().map(most).collect::<Vec<_>>(),
                    chosen,
                )
            }
            Some(_) => Vec::new(),
        };
        // Beside what goes over its data again and again, what only reads input is soon done.
        let again = more.is_some() || candidates[..chosen].iter().any(|one| one.repeats);
        let is_needed = |at: &usize| !again || !candidates[*at].only_reads;
        let others = others.into_iter().filter(is_needed);
        let others = others.filter(|at| more != Some(*at));
        let is_alternative = |at: &usize| alternative(candidates[*at]).is_some();
        let mut others: Vec<usize> = others
            .filter(|at| is_guessed || candidates[*at].is_guessed || is_alternative(at))
            .collect();
        if others.len() > MOST_FURTHER {
            let main = steps.routine_named(program, "main");
            let is_of_main = |at: &usize| main == Some(candidates[*at].routine);
            nearest_first(&mut others, is_of_main);
        }
        let selected = |(one, again): (&&LoopLoad, &str)| {
            let share = percent((one.instructions * one.accesses).sqrt());
            let reason =
                format!("{NONE}{again}, and it does {share} of the program's work ({how})");
            SelectedLoop::of(one, reason)
        };
        let others = others.into_iter().take(MOST_FURTHER);
        let further = others.map(|at| {
            let one = candidates[at];
            let reason = match (alternative(one), one.is_guessed) {
                (Some(share), _) => {
                    let share = percent(share);
                    format!("{NONE}, and it does {share} of the work of the runs that come to it ({how})")
                }
                (None, true) => ALSO.to_string(),
                (None, false) => SURE.to_string(),
            };
            SelectedLoop::of(one, reason)
        });
        let further = further.collect();
        let mut next: Vec<&LoopLoad> = candidates[chosen..].to_vec();
        next.retain(|one| one.repeats);
        let chosen_again = more.iter().map(|&at| (&candidates[at], AGAIN));
        let chosen = candidates[..chosen].iter().map(|one| (one, ""));
        let next = next.iter().map(|one| selected((one, NEXT)));
        let next: Vec<SelectedLoop> = next.collect();
        load.selected = chosen_again.chain(chosen).map(selected).collect();
        load.further = further;
        let is_worth = |load: &Load, one: &SelectedLoop| {
            let mut worth = load.worth();
            worth.any(|other| other.at() == one.at())
        };
        let mut next: Vec<SelectedLoop> = (next.into_iter())
            .filter(|one| !is_worth(&load, one))
            .take(MOST_NEXT)
            .collect();
        let most = next.first().map_or(0.0, |one| one.value) + GUESS;
        next.retain(|one| one.value <= most);
        load.next = next;
        load
    }
}

/// Leaves out what loops do that stand aside of the work, unless nothing else goes over the same data again and again: what others do are
/// shares of the rest then. Whether it does so.
fn leave_out(all: &mut [LoopLoad]) -> bool {
    let (mut instructions, mut accesses) = (1.0, 1.0);
    for one in all
        .iter()
        .filter(|one| one.aside.is_some() && one.is_outermost)
    {
        instructions -= one.instructions;
        accesses -= one.accesses;
    }
    let of_rest = |share: f64, rest: f64| (share / rest.max(f64::EPSILON)).min(1.0);
    let is_work = |one: &LoopLoad| {
        let both = of_rest(one.instructions, instructions) * of_rest(one.accesses, accesses);
        one.aside.is_none() && one.repeats && -both.ln() < SMALL
    };
    let leaves_out = all.iter().any(|one| one.aside.is_some()) && all.iter().any(is_work);
    for one in all
        .iter_mut()
        .filter(|one| leaves_out && one.aside.is_none())
    {
        one.instructions = of_rest(one.instructions, instructions);
        one.accesses = of_rest(one.accesses, accesses);
        one.value = (-(one.instructions * one.accesses).ln()).max(0.0);
    }
    leaves_out
}

/// `97 %`
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 99.95 {
        "nearly all".to_string()
    } else if percent >= 10.0 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// The share of a loop of the work of those runs that come to it, if it goes over the same data again and again and does a twentieth of it,
/// while other runs do something else instead.
fn alternative(one: &LoopLoad) -> Option<f64> {
    let share = one.of_its_runs.filter(|_| one.repeats)?;
    (-2.0 * share.ln() <= SMALL).then_some(share)
}

/// How many of these values, which rise, are taken.
pub(super) fn cut(values: &[f64]) -> usize {
    let Some(first) = values.first().filter(|first| **first < TINY) else {
        return 0;
    };
    let mut before = 0.0;
    let mut last = *first;
    let mut taken = 1;
    for &value in &values[1..] {
        let step = value - last;
        if value > SMALL || (step >= STEEP && step > before) {
            break;
        }
        before = step;
        last = value;
        taken += 1;
    }
    taken
}

/// When none of the loops that were taken goes over the same data again and again, the first one that does, if the guesses
/// may hide so much of it; none for those that do not.
fn further(values: &[f64], hidden: &[Option<f64>], taken: usize) -> Option<usize> {
    let first = values[..taken].first()?;
    let at = hidden.iter().position(Option::is_some)?;
    (at >= taken && values[at] - first <= hidden[at]?).then_some(at)
}

/// All that go over the same data again and again, of which guesses may hide so much, behind those that were taken.
fn also(values: &[f64], hidden: &[Option<f64>], taken: usize) -> Vec<usize> {
    let Some(first) = values[..taken].first() else {
        return Vec::new();
    };
    let is_hidden = |at: &usize| hidden[*at].is_some_and(|most| values[*at] - first <= most);
    (taken..values.len()).filter(is_hidden).collect()
}

/// Puts the first few of a kind before all others.
fn nearest_first(some: &mut [usize], is_near: impl Fn(&usize) -> bool) {
    let near: Vec<usize> = some.iter().copied().filter(is_near).collect();
    let near = &near[..near.len().min(MOST_OF_MAIN)];
    some.sort_by_key(|one| !near.contains(one));
}

#[cfg(test)]
mod tests {
    use super::{also, cut, further, nearest_first};

    /// What is taken of loops with these shares of the work.
    fn taken(shares: &[f64]) -> usize {
        let values: Vec<f64> = shares.iter().map(|share| -2.0 * share.ln()).collect();
        cut(&values)
    }

    #[test]
    fn the_curve_is_cut_where_it_becomes_steep() {
        assert_eq!(taken(&[0.97, 0.02, 0.01]), 1);
        assert_eq!(taken(&[0.45, 0.4, 0.1]), 2);
        assert_eq!(taken(&[0.6, 0.3, 0.06, 0.04]), 2);
        assert_eq!(taken(&[0.3, 0.25, 0.2, 0.15, 0.1]), 5);
    }

    #[test]
    fn a_loop_over_the_same_data_is_taken_though_loops_that_pass_once_seem_to_do_more() {
        let values: Vec<f64> = [0.6, 0.3, 0.004, 0.003]
            .map(|share: f64| -2.0 * share.ln())
            .into();
        let (once, again) = (None, Some(13.0));
        assert_eq!(further(&values, &[once, once, again, again], 2), Some(2));
        assert_eq!(further(&values, &[once, again, again, again], 2), None);
        assert_eq!(further(&values, &[once; 4], 2), None);
        assert_eq!(further(&[0.1, 13.0, 15.0], &[once, once, again], 1), None);
        assert_eq!(
            further(&[0.1, 13.0, 15.0], &[once, once, Some(26.0)], 1),
            Some(2)
        );
        assert_eq!(further(&[], &[], 0), None);
    }

    #[test]
    fn all_loops_over_the_same_data_are_named_of_which_guesses_may_hide_enough() {
        let values = [0.1, 13.0, 15.0, 20.0, 40.0];
        let (once, again, guessed) = (None, Some(13.8), Some(27.6));
        let hidden = [again, again, again, guessed, guessed];
        assert_eq!(also(&values, &hidden, 1), [1, 3]);
        assert_eq!(also(&values, &hidden, 2), [3]);
        assert_eq!(also(&values, &[once; 5], 1), [0; 0]);
        assert_eq!(also(&[], &[], 0), [0; 0]);
    }

    #[test]
    fn where_loops_are_too_many_some_of_main_come_first() {
        let mut some = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        nearest_first(&mut some, |one| *one > 5 || *one == 2);
        assert_eq!(some, [2, 6, 7, 8, 1, 3, 4, 5, 9, 10]);
        nearest_first(&mut some, |_| false);
        assert_eq!(some, [2, 6, 7, 8, 1, 3, 4, 5, 9, 10]);
    }

    #[test]
    fn what_does_next_to_nothing_is_not_taken() {
        assert_eq!(taken(&[0.04, 0.03]), 1);
        assert_eq!(taken(&[0.005, 0.004]), 0);
        assert_eq!(taken(&[]), 0);
    }
}
