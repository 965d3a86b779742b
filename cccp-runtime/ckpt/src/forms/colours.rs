//! From a number between 0 and 1 to a colour that looks as much lighter as the number is larger.
//!
//! The way leads from dark violet over blue and green to light yellow, through a few points of the colour space Oklab, in
//! which equal distances look equal: lightness grows evenly from the first point to the last. So steps in the values are
//! steps in the picture everywhere, also in grey and for those who see red and green alike.

/// What is no number: a colour that is nowhere on the way.
pub const NO_NUMBER: [u8; 3] = [255, 0, 160];

/// Chroma and hue (degrees) at evenly spaced places. The lightness is not in the table: it is a straight line.
const POINTS: [(f64, f64); 6] = [
    (0.105, 308.0),
    (0.120, 280.0),
    (0.098, 240.0),
    (0.105, 175.0),
    (0.160, 140.0),
    (0.165, 108.0),
];
/// Lightness at the first and the last place.
const LIGHTNESS: (f64, f64) = (0.24, 0.93);

/// The colour of a number; what lies beyond 0 or 1 has the colour of the end, what is no number its own.
pub fn colour(number: f64) -> [u8; 3] {
    if number.is_nan() {
        return NO_NUMBER;
    }
    let number = number.clamp(0.0, 1.0);
    let place = number * (POINTS.len() - 1) as f64;
    let index = (place as usize).min(POINTS.len() - 2);
    let share = place - index as f64;
    let [one, other] = [POINTS[index], POINTS[index + 1]].map(|(chroma, hue)| {
        let hue = hue.to_radians();
        (chroma * hue.cos(), chroma * hue.sin())
    });
    let mix = |one: f64, other: f64| one + share * (other - one);
    let lightness = LIGHTNESS.0 + number * (LIGHTNESS.1 - LIGHTNESS.0);
    screen(lightness, mix(one.0, other.0), mix(one.1, other.1))
}

/// From Oklab to the bytes of sRGB.
fn screen(lightness: f64, a: f64, b: f64) -> [u8; 3] {
    let cones = [
        lightness + 0.3963377774 * a + 0.2158037573 * b,
        lightness - 0.1055613458 * a - 0.0638541728 * b,
        lightness - 0.0894841775 * a - 1.2914855480 * b,
    ]
    .map(|root| root * root * root);
    let rows = [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ];
    rows.map(|row| {
        let light: f64 = row
            .iter()
            .zip(cones)
            .map(|(share, cone)| share * cone)
            .sum();
        let light = light.clamp(0.0, 1.0);
        let shown = match light {
            light if light <= 0.003_130_8 => 12.92 * light,
            light => 1.055 * light.powf(1.0 / 2.4) - 0.055,
        };
        (shown * 255.0).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How light a colour looks.
    fn lightness(colour: [u8; 3]) -> f64 {
        let [red, green, blue] = colour.map(|byte| {
            let shown = f64::from(byte) / 255.0;
            match shown {
                shown if shown <= 0.040_45 => shown / 12.92,
                shown => ((shown + 0.055) / 1.055).powf(2.4),
            }
        });
        let cones = [
            0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue,
            0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue,
            0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue,
        ]
        .map(f64::cbrt);
        0.2104542553 * cones[0] + 0.7936177850 * cones[1] - 0.0040720468 * cones[2]
    }

    #[test]
    fn lightness_grows_evenly_from_end_to_end() {
        let steps: Vec<f64> = (0..=64)
            .map(|step| lightness(colour(f64::from(step) / 64.0)))
            .collect();
        let even = (LIGHTNESS.1 - LIGHTNESS.0) / 64.0;
        for pair in steps.windows(2) {
            let step = pair[1] - pair[0];
            assert!((step - even).abs() < 0.6 * even, "{step} instead of {even}");
        }
    }

    #[test]
    fn no_number_has_a_colour_that_no_number_has() {
        assert_eq!(colour(f64::NAN), NO_NUMBER);
        assert_eq!(colour(-1.0), colour(0.0));
        assert_eq!(colour(f64::INFINITY), colour(1.0));
        let distance = |one: [u8; 3], other: [u8; 3]| -> u32 {
            one.iter()
                .zip(other)
                .map(|(one, other)| u32::from(one.abs_diff(other)))
                .sum()
        };
        for step in 0..=256 {
            let on_the_way = colour(f64::from(step) / 256.0);
            assert!(distance(on_the_way, NO_NUMBER) > 120, "{on_the_way:?}");
        }
    }
}
