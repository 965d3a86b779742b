//! The command line as compilers know it, in the words of ours.

use super::options::Explain;
use std::ffi::OsString;
use std::path::Path;

/// Options of compilers that the preprocessor is given, too, by their beginnings: they define macros and choose headers.
const COMPILERS: [&str; 12] = [
    "-O",
    "-g",
    "-f",
    "-W",
    "-m",
    "-w",
    "-p",
    "-ansi",
    "-nostdinc",
    "-undef",
    "--sysroot=",
    "-n",
];
/// The same with a value in the next word.
const COMPILERS_VALUED: [&str; 7] = [
    "-isystem",
    "-iquote",
    "-idirafter",
    "-imacros",
    "-isysroot",
    "-iprefix",
    "--param",
];
/// Options for the linker or for compiling alone: nothing for the preprocessor.
const LINKERS: [&str; 4] = ["-l", "-L", "-Wl,", "-s"];

/// `-include` and `-std=` have one dash, and so have options of the compiler, which are handed on. What follows `--explain`
/// belongs to it when it is one of its words and no file.
pub fn in_our_form(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut all: Vec<OsString> = Vec::new();
    let mut words = words;
    let mut is_first = true;
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        let begins = |beginnings: &[&str]| beginnings.iter().any(|one| text.starts_with(one));
        // What follows one of our own options with a value is no option.
        let is_value = std::mem::take(&mut is_first) || all.last().is_some_and(takes_a_word);
        if !is_value && COMPILERS_VALUED.contains(&text) {
            let value = words.next().unwrap_or_default();
            all.extend(["--cpp-flag".into(), word, "--cpp-flag".into(), value]);
            continue;
        }
        if !is_value && (text == "-c" || begins(&LINKERS) && !text.starts_with("-std")) {
            continue;
        }
        // The value may stand in the same word.
        if !is_value && (begins(&COMPILERS) || begins(&COMPILERS_VALUED)) {
            all.extend(["--cpp-flag".into(), word]);
            continue;
        }
        let explains = all.last().is_some_and(|last| last == "--explain");
        if explains && text.parse::<Explain>().is_ok() && !Path::new(&word).is_file() {
            all.pop();
            all.push(format!("--explain={text}").into());
            continue;
        }
        all.push(match text {
            "-include" => "--include".into(),
            "-MD" | "-MMD" | "-MF" | "-MT" | "-MQ" | "-MP" => format!("-{text}").into(),
            text if text.starts_with("-std=") => format!("-{text}").into(),
            _ => word,
        });
    }
    all
}

/// Whether the next word is the value of this one.
fn takes_a_word(option: &OsString) -> bool {
    let words = [
        "--cpp-flag",
        "-d",
        "-o",
        "-D",
        "-I",
        "-U",
        "--include",
        "--size",
        "--cc",
        "--MF",
        "--MT",
        "--MQ",
    ];
    words.iter().any(|word| option == word)
}
