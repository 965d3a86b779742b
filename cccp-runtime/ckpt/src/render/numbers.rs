//! Floating-point numbers for people: six digits are enough to look at.

/// A number with at most six significant digits: `0.25`, `1.5e-07`, `299792458` as `2.99792e+08`.
pub fn short(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let text = format!("{value:.5e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        let places = (5 - exponent).max(0) as usize;
        return without_zeros(&format!("{value:.places$}")).to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", without_zeros(digits), exponent.abs())
}

fn without_zeros(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_and_no_zeros_at_the_end() {
        for (value, expected) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1 + 0.2, "0.3"),
            (-42.0, "-42"),
            (1.0 / 3.0, "0.333333"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (999999.9, "1e+06"),
            (0.000012345678, "1.23457e-05"),
            (0.00000012345678, "1.23457e-07"),
            (6.02214076e23, "6.02214e+23"),
            (f64::MAX, "1.79769e+308"),
            (5e-324, "4.94066e-324"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(short(value), expected, "{value:e}");
        }
    }
}
