//! The command line of `--explain`: what belongs to it, and what is said when it is wrong.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::explain::{output, page, report};
use cccp_precompiler::cli::options::{Explain, Options};
use cccp_precompiler::cli::run::compile;

fn read(words: &[&str]) -> Result<Options, String> {
    let words = std::iter::once("cccp-pp").chain(words.iter().copied());
    Options::read(words.map(OsString::from)).map_err(|error| error.to_string())
}

fn form(words: &[&str]) -> (Option<Explain>, Vec<PathBuf>) {
    let options = read(words).expect("a right command line");
    (options.explain, options.files)
}

/// The report of a file, in words.
pub fn explained(words: &[&str]) -> Result<String, String> {
    let options = read(words)?;
    let catalogue = Catalogue::builtin();
    let compiled = compile(&options, &catalogue);
    let form = options.explain.clone().unwrap_or(Explain::Text);
    report(&options, &form, &compiled.program, &catalogue).map(|told| told.text)
}

#[test]
fn what_is_explained_is_a_code_or_files() {
    let code = |text: &str| Some(Explain::Code(text.to_string()));
    assert_eq!(form(&["--explain", "CCCP107"]), (code("CCCP107"), vec![]));
    assert_eq!(form(&["--explain=cccp107"]), (code("cccp107"), vec![]));
    assert_eq!(form(&["--explain", "107"]), (code("107"), vec![]));
    let file = vec![PathBuf::from("a.c")];
    assert_eq!(
        form(&["--explain", "a.c"]),
        (Some(Explain::Text), file.clone())
    );
    assert_eq!(
        form(&["a.c", "--explain"]),
        (Some(Explain::Text), file.clone())
    );
    assert_eq!(
        form(&["--explain=html", "a.c"]),
        (Some(Explain::Html), file.clone())
    );
    assert_eq!(
        form(&["--explain", "json", "a.c"]),
        (Some(Explain::Json), file)
    );
    assert!(
        read(&["--explain=pdf", "a.c"])
            .expect_err("no form")
            .contains("say text, json, html")
    );
    assert!(
        read(&["a.c", "--size", "n=1"])
            .expect_err("no report")
            .contains("--explain")
    );
    assert!(page("CCCP999").is_err());
}

#[test]
fn the_report_goes_where_the_user_says() {
    let to = |words: &[&str]| {
        let options = read(words).expect("a right command line");
        let form = options.explain.clone().expect("a form");
        output(&options, &form)
    };
    assert_eq!(to(&["--explain", "a.c"]), None);
    assert_eq!(to(&["--explain", "a.c", "-o", "x"]), Some("x".into()));
    let into = to(&["--explain=html", "a.c", "b.c", "-d", "out"]);
    assert_eq!(into.as_deref(), Some(Path::new("out/explain.html")));
}

#[test]
fn sizes_that_mean_nothing_are_refused() {
    let sample = "../samples/heat-serial/main.c";
    let refused = |size: &str| {
        explained(&["--explain", sample, "--size", size]).expect_err("a size that means nothing")
    };
    assert_eq!(refused("m=5"), "no size depends on `m`; did you mean `n`?");
    assert!(refused("elephants=5").contains("sizes depend on n"));
    assert!(refused("n=many").contains("`many` is not a whole number"));
    assert!(refused("n").contains("write it as `--size n=1000`"));
}

#[test]
fn sizes_turn_formulas_into_numbers() {
    let sample = "../samples/heat-serial/main.c";
    let plain = explained(&["--explain", sample]).expect("a report");
    assert!(plain.contains("16·n + 24 bytes\n"), "{plain}");
    assert!(plain.contains("--size n=…"), "{plain}");
    let with = explained(&["--explain", sample, "--size", "main:n=1e5"]).expect("a report");
    assert!(
        with.contains("16·n + 24 = 1 600 024 bytes; 1 600 084 in the file"),
        "{with}"
    );
}
