//! The runs of a computation on one axis of time: a row each, with checkpoints, failures and the way of each restart.

use cccp::store::{End, Event, Past};

use super::drawing::{WIDTH, safe, step, time};

const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const ROW: f64 = 34.0;
const BAR: f64 = 16.0;
const TOP: f64 = 10.0;
/// Rows that a picture shows; of more runs the newest.
pub const MOST: usize = 30;

struct Axis {
    begin: f64,
    scale: f64,
}

impl Axis {
    fn x(&self, moment: f64) -> f64 {
        LEFT + (moment - self.begin) * self.scale
    }
}

/// When a run was over, as far as that is known.
pub fn ended(run: &Past, now: Option<f64>) -> f64 {
    match (run.end(), now) {
        (End::Died(earliest, _), _) => earliest,
        (End::Open, Some(now)) => now,
        _ => run.latest(),
    }
}

/// The picture. `now` is the time when the last run still runs; `first` the number of the first run shown.
pub fn draw(runs: &[Past], first: usize, now: Option<f64>) -> String {
    let begin = runs.first().map_or(0.0, |run| run.begun);
    let last = |run: &Past| ended(run, now);
    let end = runs.iter().map(last).fold(begin, f64::max);
    let all = (end - begin).max(1e-3);
    let axis = Axis {
        begin,
        scale: (WIDTH - LEFT - RIGHT) / all,
    };
    let height = TOP + ROW * runs.len() as f64 + 34.0;
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Timeline of runs\">\n"
    );
    marks(&mut out, &axis, all, height);
    for (at, run) in runs.iter().enumerate() {
        row(&mut out, &axis, runs, at, first + at, last(run));
    }
    out + "</svg>\n"
}

fn marks(out: &mut String, axis: &Axis, all: f64, height: f64) {
    let (step, bottom) = (step(all, 8.0, true), height - 26.0);
    let mut moment = 0.0;
    while moment <= all * 1.0001 {
        let x = axis.x(axis.begin + moment);
        *out += &format!(
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/>"
        );
        let label = if moment == 0.0 {
            "start".to_string()
        } else {
            time(moment)
        };
        *out += &format!(
            "<text class=\"axis\" x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>\n",
            bottom + 16.0
        );
        moment += step;
    }
}

fn row(out: &mut String, axis: &Axis, runs: &[Past], at: usize, number: usize, end: f64) {
    let run = &runs[at];
    let y = TOP + ROW * at as f64 + (ROW - BAR) / 2.0;
    let middle = y + BAR / 2.0;
    let x = axis.x(run.begun);
    let width = (axis.x(end) - x).max(2.0);
    let kind = match run.end() {
        End::Died(..) => "died",
        End::Stopped(_) => "stopped",
        _ => "ran",
    };
    *out += &format!(
        "<text class=\"axis\" x=\"{}\" y=\"{}\" text-anchor=\"end\">run {number}</text>",
        LEFT - 10.0,
        middle + 4.0
    );
    *out += &format!(
        "<rect class=\"bar\" x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"{BAR}\" rx=\"3\"><title>run {number}: {}, {}</title></rect>",
        time(end - run.begun),
        safe(&how(run))
    );
    let next = runs.get(at + 1);
    let kept = |generation: u64| next.is_none_or(|next| next.started.from >= Some(generation));
    let last = run.taken().rfind(|(_, taken)| kept(taken.generation));
    let held = last.map_or(run.begun, |(moment, _)| moment);
    if next.is_some() && kind != "ran" {
        let (from, to) = (axis.x(held), axis.x(end));
        *out += &format!(
            "<rect class=\"lost\" x=\"{from:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"{BAR}\"><title>{} of work lost</title></rect>",
            (to - from).max(1.0),
            time(end - held)
        );
    }
    let mut before = f64::NEG_INFINITY;
    for (moment, event) in &run.events {
        let x = axis.x(*moment);
        match event {
            // What would be drawn over the one before is left out.
            Event::Taken(_) if x - before < 1.5 => {}
            Event::Taken(taken) => {
                before = x;
                *out += &format!(
                    "<line class=\"taken\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{}\" y2=\"{}\"><title>generation {}, {} after the start of the run; the program stood still for {}</title></line>",
                    y - 2.0,
                    y + BAR + 2.0,
                    taken.generation,
                    time(moment - run.begun),
                    time(taken.stood)
                );
            }
            Event::Skipped(reason) => {
                *out += &format!(
                    "<circle class=\"skipped\" cx=\"{x:.1}\" cy=\"{middle}\" r=\"4\"><title>no checkpoint: {}</title></circle>",
                    safe(reason)
                );
            }
            _ => {}
        }
    }
    if let (Some(next), Some((moment, _))) = (next, last) {
        let (from, to) = (axis.x(moment), axis.x(next.begun));
        let below = y + ROW;
        *out += &format!(
            "<path class=\"way\" d=\"M{from:.1} {:.1} V{:.1} H{to:.1} V{below:.1}\"/>",
            y + BAR + 2.0,
            y + BAR + (ROW - BAR) / 2.0
        );
    }
    let x = axis.x(end);
    match kind {
        "ran" => {}
        _ => {
            *out += &format!(
                "<path class=\"death\" d=\"M{:.1} {:.1} L{:.1} {:.1} M{:.1} {:.1} L{:.1} {:.1}\"><title>{}</title></path>",
                x - 5.0,
                middle - 5.0,
                x + 5.0,
                middle + 5.0,
                x - 5.0,
                middle + 5.0,
                x + 5.0,
                middle - 5.0,
                safe(&how(run))
            );
        }
    }
    *out += "\n";
}

/// How a run ended, in words.
pub fn how(run: &Past) -> String {
    match (run.end(), run.events.last()) {
        (End::Complete, _) => "complete".to_string(),
        (End::Left(why), _) => format!("left after a checkpoint ({why})"),
        (End::Stopped(reason), _) => format!("stopped: {reason}"),
        (_, Some((_, Event::Died(how)))) => format!("died: {how}"),
        (End::Died(..), _) => "died".to_string(),
        (End::Open, _) => "running, or died".to_string(),
    }
}
