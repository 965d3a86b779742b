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
    /// What stands before the first bracket, without `follow` and `file`.
    pub fn base(&self) -> &str {
        let words = ["follow(", "file("].into_iter();
        let mut inner = words.filter_map(|word| self.text.strip_prefix(word));
        let text = inner.next().unwrap_or(&self.text);
        text.split(['[', ')']).next().unwrap_or_default().trim()
    }

    /// Whether a message that names this location is about the item: `u` or the memory behind it for `u[n]`, `s` or one of
    /// its members for `s`.
    pub fn is_meant_by(&self, name: &str) -> bool {
        let rest = name.strip_prefix(self.base());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.', '-']))
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
    let mut variants = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(items) = listed(line) else {
            continue;
        };
        for (place, item) in items.iter().enumerate() {
            let item = Item {
                text: item.clone(),
                line: index + 1,
            };
            let text = left_out(text, |line, number, _| line == index && number == place);
            variants.push(Variant { item, text });
        }
    }
    variants
}

/// The text without the items that are meant by their line, from 0, their place in it, and how they are written.
pub fn left_out(text: &str, is_meant: impl Fn(usize, usize, &str) -> bool) -> String {
    let mut changed = String::new();
    for (index, line) in text.lines().enumerate() {
        match listed(line) {
            Some(items) => {
                let all = items.iter().enumerate();
                let kept = all.filter(|(place, item)| !is_meant(index, *place, item));
                let kept: Vec<&str> = kept.map(|(_, item)| item.as_str()).collect();
                if !kept.is_empty() {
                    changed += &format!("{WORDS}{})", kept.join(", "));
                }
            }
            None => changed += line,
        }
        changed.push('\n');
    }
    changed
}

/// The items of a line that is a directive; a comment may follow it.
pub fn listed(line: &str) -> Option<Vec<String>> {
    let list = line.trim().strip_prefix(WORDS)?;
    let list = list.split(" /*").next().unwrap_or_default();
    Some(items(
        list.strip_suffix(')').expect("a directive on one line"),
    ))
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
    let text = "#pragma cccp register(follow(a), b[]) /* read: follow(a) line 3 */\n";
    let found = variants(text);
    assert_eq!(found[0].text, "#pragma cccp register(b[])\n");
    assert!(found[0].item.is_meant_by("a->next") && found[1].item.is_meant_by("b[…]"));
}
