//! Times as people write them: `90`, `30s`, `10m`, `2h`, `1d`, `2h30m`.

const UNITS: [(char, f64); 4] = [('d', 86400.0), ('h', 3600.0), ('m', 60.0), ('s', 1.0)];

/// Seconds; none when it is no time. A number alone is seconds.
pub(super) fn duration(text: &str) -> Option<f64> {
    let number = |digits: &str| {
        digits
            .parse::<f64>()
            .ok()
            .filter(|value| value.is_finite() && *value >= 0.0)
    };
    let (mut rest, mut all) = (text, 0.0);
    while let Some(at) = rest.find(|c: char| c.is_ascii_alphabetic()) {
        let unit = rest[at..].chars().next()?;
        let (_, seconds) = UNITS.iter().find(|known| known.0 == unit)?;
        all += number(&rest[..at])? * seconds;
        rest = &rest[at + 1..];
        if rest.is_empty() {
            return Some(all);
        }
    }
    // Behind a unit another one is needed.
    (rest.len() == text.len()).then(|| number(rest)).flatten()
}

/// The same as text.
pub(super) fn written(seconds: f64) -> String {
    let whole = UNITS
        .iter()
        .find(|unit| seconds >= unit.1 && seconds % unit.1 == 0.0);
    match whole {
        Some((unit, length)) => format!("{}{unit}", seconds / length),
        None => format!("{seconds}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        let found = ["90", "30s", "10m", "2h30m", "0.5s", "1d"].map(duration);
        assert_eq!(found, [90.0, 30.0, 600.0, 9000.0, 0.5, 86400.0].map(Some));
        for wrong in ["", "m", "10 minutes", "2h30", "-1s", "inf", "nan", "1w"] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
        assert_eq!(
            [600.0, 9000.0, 0.5, 0.0].map(written),
            ["10m", "150m", "0.5s", "0s"]
        );
    }
}
