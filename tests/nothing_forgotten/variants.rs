//! A program with one item of its `register` directives left out: for each item one variant.

/// A register item of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// As it is written.
    pub text: String,
    /// Line of its directive, from 1.
    pub line: usize,
}

impl Item {
    /// What stands before the first bracket.
    pub fn base(&self) -> &str {
        self.text.split('[').next().unwrap_or_default().trim()
    }

    /// Whether a message that names this location is about the item: `u` or the memory behind it for `u[n]`, `s` or one of
    /// its members for `s`.
    pub fn is_meant_by(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.base());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
    }
}

/// An item, and the text without it. Lines stay where they are.
pub struct Variant {
    /// What is missing.
    pub item: Item,
    /// The program.
    pub text: String,
}

const WORDS: &str = "#pragma cccp register(";

/// One variant for each item.
pub fn variants(text: &str) -> Vec<Variant> {
    let lines: Vec<&str> = text.lines().collect();
    let mut variants = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(list) = line.trim().strip_prefix(WORDS) else {
            continue;
        };
        let items = items(list.strip_suffix(')').expect("a directive on one line"));
        for left_out in 0..items.len() {
            let mut rest = items.clone();
            let item = rest.remove(left_out);
            let directive = match rest.is_empty() {
                true => String::new(),
                false => format!("{WORDS}{})", rest.join(", ")),
            };
            let mut changed = lines.clone();
            changed[index] = &directive;
            variants.push(Variant {
                item: Item {
                    text: item,
                    line: index + 1,
                },
                text: changed.join("\n") + "\n",
            });
        }
    }
    variants
}

/// The items of a list: commas in brackets do not part them.
fn items(list: &str) -> Vec<String> {
    let mut depth = 0;
    let mut items = vec![String::new()];
    for letter in list.chars() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                items.push(String::new());
                continue;
            }
            _ => {}
        }
        items.last_mut().expect("an item").push(letter);
    }
    items.iter().map(|item| item.trim().to_owned()).collect()
}

#[test]
fn an_item_is_left_out_and_no_line_moves() {
    let text =
        "int a;\n#pragma cccp register(a, u[n][m], s->f[g(a, b)])\n#pragma cccp register(z)\n";
    let found = variants(text);
    let texts: Vec<(&str, usize)> = found
        .iter()
        .map(|one| (one.item.text.as_str(), one.item.line))
        .collect();
    assert_eq!(
        texts,
        [("a", 2), ("u[n][m]", 2), ("s->f[g(a, b)]", 2), ("z", 3)]
    );
    assert_eq!(
        found[1].text,
        "int a;\n#pragma cccp register(a, s->f[g(a, b)])\n#pragma cccp register(z)\n"
    );
    assert_eq!(found[3].text.lines().nth(2), Some(""));
    assert!(found[1].item.is_meant_by("u[…]") && !found[1].item.is_meant_by("up"));
    assert!(found[0].item.is_meant_by("a.b") && !found[0].item.is_meant_by("ab"));
}
