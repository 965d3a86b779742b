//! A random program in several files: functions in one or another, globals of the first that the others declare, and static
//! functions and variables of the same names in all of them.

use std::fmt::Write;

/// What stands at the top of a file.
enum Top {
    /// Types, static functions: every file has its own.
    Own(String),
    /// A variable of all files: its definition.
    Shared(String),
    /// Functions that only the first file has.
    Home(String),
    /// One of the program's functions, from its first line to its last.
    Function(String),
}

/// The texts of the files; the first has `main`. What a file counts of its own is asked with `…counted`.
pub fn split(text: &str, prefix: &str, count: usize) -> Vec<String> {
    let start = text.find(&format!("static jmp_buf {prefix}"));
    let start = start.or_else(|| text.find(&format!("static int {prefix}")));
    let (head, body) = text.split_at(start.unwrap_or_default());
    let tops = tops(body, prefix);
    let mut files = vec![String::from(head); count];
    let mut functions = 0;
    for top in &tops {
        match top {
            Top::Own(text) => files.iter_mut().for_each(|file| file.push_str(text)),
            Top::Shared(text) => {
                let defined = text.replacen("static ", "", 1);
                let declared = match defined.split_once(" = ") {
                    Some((name, _)) => format!("extern {name};\n"),
                    None => format!("extern {defined}"),
                };
                files[0].push_str(&defined);
                let others = files.iter_mut().skip(1);
                others.for_each(|file| file.push_str(&declared));
            }
            Top::Home(text) => files[0].push_str(text),
            Top::Function(text) => {
                files[functions % count].push_str(&text.replacen("static ", "", 1));
                functions += 1;
            }
        }
    }
    let asked: String = (1..count)
        .map(|number| format!("unsigned {prefix}counted{number}(void); "))
        .collect();
    for (number, file) in files.iter_mut().enumerate().skip(1) {
        let _ = writeln!(
            file,
            "unsigned {prefix}counted{number}(void) {{ return sum; }}"
        );
    }
    let all: String = (1..count)
        .map(|number| format!(" + 7 * {prefix}counted{number}()"))
        .collect();
    files[0] = files[0]
        .replace("int main(void)", &format!("{asked}\nint main(void)"))
        .replace(
            "printf(\"end %u\\n\", sum);",
            &format!("printf(\"end %u\\n\", sum{all});"),
        );
    files
}

/// What the text consists of, in its order.
fn tops(body: &str, prefix: &str) -> Vec<Top> {
    let mut all = Vec::new();
    let mut lines = body.lines();
    while let Some(line) = lines.next() {
        let mut text = format!("{line}\n");
        let is_main = line.starts_with("int main");
        while is_main || text.matches('{').count() > text.matches('}').count() {
            let Some(next) = lines.next() else { break };
            text.push_str(next);
            text.push('\n');
        }
        all.push(top(line, text, prefix, is_main));
    }
    all
}

/// What a line begins, with all that belongs to it.
fn top(line: &str, text: String, prefix: &str, is_main: bool) -> Top {
    if is_main {
        return Top::Home(text);
    }
    if !line.starts_with("static ") {
        return Top::Own(text);
    }
    let name = line.split_once(prefix).map_or("", |(_, name)| name);
    let is_numbered = name
        .strip_prefix('f')
        .is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_digit()));
    if is_numbered && line.ends_with(';') {
        return Top::Own(text.replacen("static ", "", 1));
    }
    if is_numbered {
        return Top::Function(text);
    }
    if ["prepare(", "start(", "ready"]
        .iter()
        .any(|home| name.starts_with(home))
    {
        return Top::Home(text);
    }
    // `static int (*p)(int) = …` is a variable.
    let begins_a_body = |(before, _): (&str, &str)| before.ends_with(") ") && !before.contains('=');
    match line.split_once('{').is_some_and(begins_a_body) {
        true => Top::Own(text),
        false => Top::Shared(text),
    }
}
