//! A page of HTML as its tags and texts: whether it is well formed, and an outline to compare.

/// A piece of a page.
enum Piece<'a> {
    Open(&'a str, &'a str),
    Close(&'a str),
    Text(&'a str),
}

/// Elements without an end tag.
const EMPTY: [&str; 4] = ["meta", "input", "br", "!doctype"];

/// Cuts a page into pieces. Style and script are one text each.
fn pieces(page: &str) -> Vec<Piece<'_>> {
    let mut all = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        if at > 0 {
            all.push(Piece::Text(&rest[..at]));
        }
        let end = at + rest[at..].find('>').expect("a tag ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let (name, attributes) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
        if let Some(name) = name.strip_prefix('/') {
            all.push(Piece::Close(name));
            continue;
        }
        all.push(Piece::Open(name, attributes));
        if matches!(name, "style" | "script") {
            let end = rest.find(&format!("</{name}>")).expect("it ends");
            rest = &rest[end..];
        }
    }
    all
}

/// Every element that begins ends, in the right order; every link leads to something on the page.
pub fn assert_well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut names = Vec::new();
    let mut links = Vec::new();
    for piece in pieces(page) {
        match piece {
            Piece::Open(name, attributes) => {
                for (key, list) in [("id=", &mut names), ("href=#", &mut links)] {
                    if let Some((_, value)) = attributes.split_once(key) {
                        let end = value.find([' ', '"']).unwrap_or(value.len());
                        list.push(value[..end].to_string());
                    }
                }
                let known = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '!');
                assert!(known, "an element {name:?}");
                if !EMPTY.contains(&name) && !matches!(name, "li") {
                    open.push(name);
                }
            }
            Piece::Close("li") => {}
            Piece::Close(name) => assert_eq!(open.pop(), Some(name)),
            Piece::Text(text) => assert!(!text.contains('>'), "{text:?}"),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for link in &links {
        assert!(names.contains(link), "#{link} leads nowhere");
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "names occur once");
}

/// The texts of the page with classes and links, a line each, without the lines of the source that nothing is said about.
pub fn outline(page: &str) -> String {
    let mut out = String::new();
    let mut line = String::new();
    let body = page.split_once("<body>").map_or(page, |(_, body)| body);
    for piece in pieces(body) {
        match piece {
            Piece::Open("article" | "h2" | "h3" | "p" | "section" | "header", attributes) => {
                flush(&mut line, &mut out);
                line += &format!("[{attributes}] ");
            }
            Piece::Open("div", attributes) if attributes.starts_with("class=\"l") => {
                flush(&mut line, &mut out);
                line += &format!("[{attributes}] ");
            }
            Piece::Open("a", attributes) => line += &format!("<{attributes}>"),
            Piece::Open("script", _) => break,
            Piece::Text(text) => {
                line += &text.split('\n').collect::<Vec<_>>().join(" ");
            }
            _ => {}
        }
    }
    flush(&mut line, &mut out);
    out
}

fn flush(line: &mut String, out: &mut String) {
    let text = std::mem::take(line);
    let text = text.trim_end();
    if !text.is_empty() {
        out.push_str(text);
        out.push('\n');
    }
}
