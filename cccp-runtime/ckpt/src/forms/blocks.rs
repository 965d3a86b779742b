//! From the values of a field, however many, to the few that a picture shows.
//!
//! Every pixel is the average of a block of values. They come in the order of the rows, so sums and counts of the pixels
//! are all that is kept. A block with a value that is no number is no number: nobody should overlook it.

/// Sums over blocks of a field.
pub struct Blocks {
    rows: u64,
    columns: u64,
    height: u64,
    width: u64,
    sums: Vec<f64>,
    counts: Vec<u64>,
    range: Option<(f64, f64)>,
    not_numbers: u64,
    infinite: u64,
    position: u64,
}

/// What a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// Pixels per column and per row.
    pub height: usize,
    /// Pixels per row.
    pub width: usize,
    /// The values, row by row.
    pub pixels: Vec<f64>,
    /// Least and largest finite value of the field; none when it has none.
    pub range: Option<(f64, f64)>,
    /// Values that are no numbers.
    pub not_numbers: u64,
    /// Infinite values.
    pub infinite: u64,
    /// Rows and columns of the largest block.
    pub block: (u64, u64),
}

impl Blocks {
    /// For a field of so many rows and columns; the picture has at most `most` pixels in each direction.
    pub fn new(rows: u64, columns: u64, most: u32) -> Blocks {
        let most = u64::from(most.max(1));
        let (height, width) = (rows.min(most), columns.min(most));
        let pixels = (height * width) as usize;
        Blocks {
            rows,
            columns,
            height,
            width,
            sums: vec![0.0; pixels],
            counts: vec![0; pixels],
            range: None,
            not_numbers: 0,
            infinite: 0,
            position: 0,
        }
    }

    /// The next value of the field.
    pub fn add(&mut self, value: f64) {
        let (row, column) = (
            self.position / self.columns.max(1),
            self.position % self.columns.max(1),
        );
        self.position += 1;
        // Which pixel: without a remainder of smaller blocks at the edge.
        let across = |place: u64, pixels: u64, places: u64| {
            (u128::from(place) * u128::from(pixels) / u128::from(places.max(1))) as usize
        };
        let y = across(row, self.height, self.rows);
        let x = across(column, self.width, self.columns);
        let Some(sum) = self.sums.get_mut(y * self.width as usize + x) else {
            return;
        };
        *sum += value;
        self.counts[y * self.width as usize + x] += 1;
        if value.is_finite() {
            let (low, high) = self.range.unwrap_or((value, value));
            self.range = Some((low.min(value), high.max(value)));
        } else if value.is_nan() {
            self.not_numbers += 1;
        } else {
            self.infinite += 1;
        }
    }

    /// The averages.
    pub fn finish(mut self) -> Heat {
        // In place: there may be millions.
        for (sum, count) in self.sums.iter_mut().zip(&self.counts) {
            *sum /= *count as f64;
        }
        Heat {
            height: self.height as usize,
            width: self.width as usize,
            pixels: self.sums,
            range: self.range,
            not_numbers: self.not_numbers,
            infinite: self.infinite,
            block: (
                self.rows.div_ceil(self.height.max(1)),
                self.columns.div_ceil(self.width.max(1)),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_field_stays_as_it_is() {
        let mut blocks = Blocks::new(2, 3, 100);
        (0..6).for_each(|value| blocks.add(f64::from(value)));
        let heat = blocks.finish();
        assert_eq!((heat.height, heat.width, heat.block), (2, 3, (1, 1)));
        assert_eq!(heat.pixels, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(heat.range, Some((0.0, 5.0)));
    }

    #[test]
    fn a_large_field_is_averaged_and_no_number_is_seen() {
        let mut blocks = Blocks::new(4, 6, 2);
        for value in 0..24 {
            blocks.add(if value == 23 {
                f64::NAN
            } else {
                f64::from(value)
            });
        }
        let heat = blocks.finish();
        assert_eq!((heat.height, heat.width, heat.block), (2, 2, (2, 3)));
        assert_eq!(heat.pixels[..3], [4.0, 7.0, 16.0]);
        assert!(heat.pixels[3].is_nan());
        assert_eq!((heat.range, heat.not_numbers), (Some((0.0, 22.0)), 1));
    }

    #[test]
    fn a_field_without_values_has_no_range() {
        assert!(Blocks::new(0, 5, 10).finish().pixels.is_empty());
        assert_eq!(Blocks::new(0, 5, 10).finish().range, None);
    }
}
