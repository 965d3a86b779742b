//! The picture: the field, row 0 at the top, and below it the colours with the numbers at their ends.
//!
//! A tiny field is enlarged, each value a square. What the colours mean stands in the file as text, too.

use std::io::Write;

use super::blocks::Heat;
use super::colours::colour;
use super::glyphs::{ADVANCE, HEIGHT, is_drawn};

/// Enlarged pictures have about so many pixels in the longer direction.
const COMFORTABLE: usize = 512;
/// What is smaller is enlarged.
const TINY: usize = 256;
/// Room for the numbers of the scale.
const NARROWEST: usize = 200;
const GAP: usize = 6;
const BAR: usize = 10;
const PAPER: [u8; 3] = [255, 255, 255];
const INK: [u8; 3] = [40, 40, 40];

/// Which numbers the first and the last colour stand for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The darkest.
    pub low: f64,
    /// The lightest.
    pub high: f64,
}

impl Scale {
    /// Where a value lies on the way from low to high. A field of one value is in the middle.
    fn share(self, value: f64) -> f64 {
        match () {
            () if value.is_nan() => value,
            () if value.is_infinite() => value.signum(),
            () if self.high > self.low => {
                // Halved first: the difference of two large numbers may be infinite.
                (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0)
            }
            () if value < self.low => 0.0,
            () if value > self.low => 1.0,
            () => 0.5,
        }
    }
}

/// Draws and writes a PNG; `texts` are put into it as keys and values. Gives width and height.
pub fn draw(
    heat: &Heat,
    scale: Scale,
    texts: &[(String, String)],
    out: &mut dyn Write,
) -> Result<(u32, u32), png::EncodingError> {
    let canvas = Canvas::of(heat, scale);
    let (width, height) = (canvas.width as u32, canvas.height as u32);
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    for (key, text) in texts {
        // International text: a file name may have any letters.
        encoder.add_itxt_chunk(key.clone(), text.clone())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.pixels)?;
    writer.finish()?;
    Ok((width, height))
}

struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    fn of(heat: &Heat, scale: Scale) -> Canvas {
        let longest = heat.height.max(heat.width).max(1);
        let factor = if longest < TINY {
            COMFORTABLE / longest
        } else {
            1
        };
        let (width, height) = (heat.width * factor, heat.height * factor);
        let mut canvas = Canvas::blank(width.max(NARROWEST), height + GAP + BAR + 3 + HEIGHT + 3);
        for y in 0..height {
            for x in 0..width {
                let value = heat.pixels[y / factor * heat.width + x / factor];
                canvas.put(x, y, colour(scale.share(value)));
            }
        }
        canvas.scale(height + GAP, scale);
        canvas
    }

    fn blank(width: usize, height: usize) -> Canvas {
        Canvas {
            width,
            height,
            pixels: PAPER.repeat(width * height),
        }
    }

    fn put(&mut self, x: usize, y: usize, colour: [u8; 3]) {
        let start = (y * self.width + x) * 3;
        self.pixels[start..start + 3].copy_from_slice(&colour);
    }

    fn scale(&mut self, top: usize, scale: Scale) {
        for x in 0..self.width {
            let share = x as f64 / (self.width - 1) as f64;
            for y in top..top + BAR {
                self.put(x, y, colour(share));
            }
        }
        let (low, high) = (short(scale.low), short(scale.high));
        self.write(2, top + BAR + 3, &low);
        let room = high.len() * ADVANCE;
        self.write(self.width.saturating_sub(room + 1), top + BAR + 3, &high);
    }

    fn write(&mut self, left: usize, top: usize, text: &str) {
        for (index, letter) in text.chars().enumerate() {
            for y in 0..HEIGHT {
                for x in 0..ADVANCE {
                    let column = left + index * ADVANCE + x;
                    if is_drawn(letter, x, y) && column < self.width {
                        self.put(column, top + y, INK);
                    }
                }
            }
        }
    }
}

/// A number in few letters.
fn short(number: f64) -> String {
    let size = number.abs();
    if number == 0.0 || (1e-3..1e6).contains(&size) {
        let digits = (5 - size.max(1.0).log10().floor() as i32).clamp(0, 5) as usize;
        let text = format!("{number:.digits$}");
        match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        }
    } else {
        format!("{number:.4e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_on_the_scale_are_short() {
        assert_eq!(short(0.0), "0");
        assert_eq!(short(-1.5), "-1.5");
        assert_eq!(short(100.0), "100");
        assert_eq!(short(123456.7), "123457");
        assert_eq!(short(6.02214076e23), "6.0221e23");
        assert_eq!(short(-1e-9), "-1.0000e-9");
    }

    #[test]
    fn every_value_has_its_place_on_the_scale() {
        let scale = Scale {
            low: -1.0,
            high: 3.0,
        };
        assert_eq!(scale.share(0.0), 0.25);
        assert_eq!(scale.share(f64::INFINITY), 1.0);
        assert!(scale.share(f64::NAN).is_nan());
        let huge = Scale {
            low: f64::MIN,
            high: f64::MAX,
        };
        assert_eq!(huge.share(0.0), 0.5);
        let flat = Scale {
            low: 2.0,
            high: 2.0,
        };
        assert_eq!(flat.share(2.0), 0.5);
    }
}
