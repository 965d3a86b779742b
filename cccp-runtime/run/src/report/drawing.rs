//! What the pictures share: text that is safe in HTML, times and numbers in few letters, round numbers for an axis.

/// The width of all pictures, in the units of SVG.
pub const WIDTH: f64 = 960.0;

/// Text as it may stand in HTML.
pub fn safe(text: &str) -> String {
    let mut out = String::new();
    for one in text.chars() {
        match one {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            one => out.push(one),
        }
    }
    out
}

/// A length of time.
pub fn time(seconds: f64) -> String {
    match seconds {
        zero if zero < 0.000_05 => "0 s".to_string(),
        short if short < 0.1 => format!("{} ms", digits(short * 1e3)),
        short if short < 120.0 => format!("{} s", digits(short)),
        middle if middle < 3600.0 => format!("{} min", digits(middle / 60.0)),
        long if long < 172_800.0 => format!("{} h", digits(long / 3600.0)),
        long => format!("{} days", digits(long / 86_400.0)),
    }
}

/// Three digits, without zeros at the end.
fn digits(number: f64) -> String {
    let places = match number {
        large if large >= 100.0 => 0,
        middle if middle >= 10.0 => 1,
        _ => 2,
    };
    let text = format!("{number:.places$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

/// The distance of marks on an axis up to `largest`, so that there are about `count`: 1, 2 or 5 times a power of ten, and
/// for times what clocks have.
pub fn step(largest: f64, count: f64, is_time: bool) -> f64 {
    const CLOCK: [f64; 15] = [
        60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0, 10_800.0, 21_600.0, 43_200.0,
        86_400.0, 172_800.0, 432_000.0, 864_000.0,
    ];
    let least = (largest / count).max(1e-9);
    if is_time && least > 20.0 {
        let fits = CLOCK.into_iter().find(|&one| one >= least);
        return fits.unwrap_or((least / 864_000.0).ceil() * 864_000.0);
    }
    let power = 10f64.powf(least.log10().floor());
    let times = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|&one| one * power >= least * 0.999);
    times.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_axes_are_round() {
        assert_eq!(time(0.0123), "12.3 ms");
        assert_eq!(time(5.0), "5 s");
        assert_eq!(time(600.0), "10 min");
        assert_eq!(time(9000.0), "2.5 h");
        assert_eq!(step(10.0, 5.0, true), 2.0);
        assert_eq!(step(3600.0, 6.0, true), 600.0);
        assert_eq!(step(0.9, 4.0, false), 0.5);
        assert_eq!(step(1e7, 1.0, true), 10_368_000.0);
    }

    #[test]
    fn names_cannot_leave_their_place() {
        assert_eq!(safe("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
