//! One number of each checkpoint, in order: a picture of bars that share an axis.

use super::drawing::{WIDTH, safe, step};

const LEFT: f64 = 76.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const HEIGHT: f64 = 150.0;
/// More bars than this are not told apart: each stands for several checkpoints then, with the largest of them.
const BARS: usize = 180;

/// A picture of numbers, each with its generation. `label` spells one; the marks of the axis are round in `unit`s.
pub fn draw(
    numbers: &[(u64, f64)],
    label: &dyn Fn(f64) -> String,
    unit: f64,
    what: &str,
) -> String {
    let together = numbers.len().div_ceil(BARS).max(1);
    let bars: Vec<(u64, f64)> = numbers
        .chunks(together)
        .filter_map(|some| {
            some.iter()
                .copied()
                .reduce(|one, other| if other.1 > one.1 { other } else { one })
        })
        .collect();
    let largest = bars.iter().map(|bar| bar.1).fold(0.0, f64::max).max(1e-9);
    let step = step(largest / unit, 3.0, false) * unit;
    let top = (largest / step).ceil() * step;
    let y = |number: f64| TOP + HEIGHT * (1.0 - number / top);
    let whole = TOP + HEIGHT + 30.0;
    let mut out = format!(
        "<svg viewBox=\"0 0 {WIDTH} {whole}\" role=\"img\" aria-label=\"{}\">\n",
        safe(what)
    );
    let mut mark = 0.0;
    while mark <= top * 1.0001 {
        let y = y(mark);
        out += &format!(
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>",
            WIDTH - RIGHT
        );
        out += &format!(
            "<text class=\"axis\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            LEFT - 8.0,
            y + 4.0,
            label(mark)
        );
        mark += step;
    }
    let room = (WIDTH - LEFT - RIGHT) / bars.len().max(1) as f64;
    let width = (room * 0.8).clamp(1.0, 34.0);
    for (at, (generation, number)) in bars.iter().enumerate() {
        let x = LEFT + room * (at as f64 + 0.5) - width / 2.0;
        out += &format!(
            "<rect class=\"bar\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\"><title>generation {generation}: {}</title></rect>",
            y(*number),
            TOP + HEIGHT - y(*number),
            label(*number)
        );
    }
    let every = bars.len().div_ceil(12).max(1);
    for (at, (generation, _)) in bars.iter().enumerate().step_by(every) {
        let x = LEFT + room * (at as f64 + 0.5);
        out += &format!(
            "<text class=\"axis\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{generation}</text>",
            TOP + HEIGHT + 18.0
        );
    }
    out + "\n</svg>\n"
}
