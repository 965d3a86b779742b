//! The expressions of generated programs.

use super::generate::{Generator, Known, Shape};

impl Generator<'_> {
    /// An `int` that can be assigned to.
    pub fn place(&mut self) -> String {
        let wanted = [
            Shape::Number,
            Shape::Number,
            Shape::Array,
            Shape::Pair,
            Shape::Pointer,
            Shape::Vector,
        ];
        let shape = *self.random.pick(&wanted).unwrap_or(&Shape::Number);
        match self.of(&[shape], true, false) {
            Some(one) => self.element(&one),
            None => "junk".to_string(),
        }
    }

    pub fn element(&mut self, one: &Known) -> String {
        let name = &one.name;
        match one.shape {
            Shape::Number => name.clone(),
            Shape::Pointer => format!("*{name}"),
            Shape::Array | Shape::Vector => {
                let index = self.index();
                format!("{name}[{index}]")
            }
            Shape::Pair | Shape::Link => {
                let arrow = if one.shape == Shape::Pair { "." } else { "->" };
                if self.random.once_in(2) {
                    format!("{name}{arrow}one")
                } else {
                    let index = self.index();
                    format!("{name}{arrow}many[{index}]")
                }
            }
        }
    }

    pub fn index(&mut self) -> String {
        if self.random.once_in(2) {
            return self.random.below(4).to_string();
        }
        match self.of(&[Shape::Number], false, false) {
            Some(one) => format!("{} & 3", one.name),
            None => "0".to_string(),
        }
    }

    /// An expression of type `int`.
    pub fn number(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.once_in(3) {
            if self.random.once_in(4) {
                return self.random.below(30).to_string();
            }
            let wanted = [
                Shape::Number,
                Shape::Array,
                Shape::Pair,
                Shape::Pointer,
                Shape::Vector,
            ];
            let shape = *self.random.pick(&wanted).unwrap_or(&Shape::Number);
            return match self.of(&[shape], false, false) {
                Some(one) => self.element(&one),
                None => "3".to_string(),
            };
        }
        let left = self.number(depth - 1);
        let right = self.number(depth - 1);
        match self.random.below(9) {
            0 => format!("({left} - {right})"),
            1 => format!("({left} ^ {right})"),
            2 => format!("({left} < {right} ? {left} : {right})"),
            3 => format!("({left} && {right})"),
            4 => format!("({left} || {right})"),
            5 => match self.of(&[Shape::Link], false, false) {
                Some(one) => {
                    let value = self.element(&one);
                    format!("({} ? {value} : {left})", one.name)
                }
                None => format!("({left} * 3)"),
            },
            6 => format!("({left} & 15)"),
            _ => format!("({left} + {right})"),
        }
    }

    /// The address of a number.
    pub fn pointer(&mut self, lasting: bool) -> String {
        let wanted = [Shape::Number, Shape::Array, Shape::Pair, Shape::Pointer];
        let shape = *self.random.pick(&wanted).unwrap_or(&Shape::Number);
        // A counter behind a pointer could be stored to.
        let found = self.of(&[shape], true, lasting).filter(|one| !one.inner);
        match found.or_else(|| self.array(lasting)) {
            Some(one) if one.shape == Shape::Pointer => one.name,
            Some(one) => format!("&{}", self.element(&one)),
            None => "&junk".to_string(),
        }
    }

    fn array(&mut self, lasting: bool) -> Option<Known> {
        self.of(&[Shape::Array], true, lasting)
            .filter(|one| !one.inner)
    }

    /// Four numbers.
    pub fn vector(&mut self, lasting: bool) -> String {
        let wanted = [Shape::Array, Shape::Vector, Shape::Pair];
        let shape = *self.random.pick(&wanted).unwrap_or(&Shape::Array);
        let found = self.of(&[shape], true, lasting).filter(|one| !one.inner);
        match found.or_else(|| self.array(lasting)) {
            Some(one) if one.shape == Shape::Pair => format!("{}.many", one.name),
            Some(one) => one.name,
            None => "junks".to_string(),
        }
    }

    pub fn link(&mut self, lasting: bool) -> String {
        let found = self.of(&[Shape::Pair, Shape::Link], true, lasting);
        match found.filter(|one| !one.inner) {
            Some(one) if one.shape == Shape::Pair => format!("&{}", one.name),
            Some(one) => one.name,
            None => "0".to_string(),
        }
    }
}
