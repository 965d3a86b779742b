//! What is decided of a program's locations, told as the program's own comments say.

use serde_json::Value;

use crate::command::explained;

/// A location as the expectations name it: with its function when that is not the checkpoint's.
fn name(row: &Value, here: &Value) -> String {
    let text = row["members"][0].as_str().or(row["name"].as_str());
    let text = text.unwrap_or_default().to_string();
    match row["function"].as_str() {
        Some(function) if row["function"] != *here => format!("{function}:{text}"),
        _ => text,
    }
}

#[test]
fn s26_every_decision_is_told_with_its_reason() {
    let file = "tests/explain/reasons.c";
    let report = explained(&["--explain=json", file]).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let checkpoint = &report["checkpoints"][0];
    let here = &checkpoint["place"]["function"];
    let mut told: Vec<String> = Vec::new();
    for row in checkpoint["rows"].as_array().expect("rows") {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let because = word(&row["reason"]["because"]);
        told.push(format!(
            "{} {} {because}",
            name(row, here),
            word(&row["verdict"])
        ));
    }
    let source = std::fs::read_to_string(file).expect("the program");
    let expected = source
        .lines()
        .filter_map(|line| line.split_once("* expect "))
        .map(|(_, text)| text.trim_end_matches("*/").trim());
    let missed: Vec<&str> = expected
        .filter(|one| !told.iter().any(|line| line == one))
        .collect();
    assert!(
        missed.is_empty(),
        "{missed:#?} not told:\n{}",
        told.join("\n")
    );
}

#[test]
fn places_are_lines_of_the_users_own_file() {
    let file = "tests/explain/reasons.c";
    let source = std::fs::read_to_string(file).expect("the program");
    let report = explained(&["--explain=json", file]).expect("a report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    let rows = report["checkpoints"][0]["rows"].as_array().expect("rows");
    let row = |name: &str| {
        let found = rows.iter().find(|row| row["name"] == name);
        found.expect("a location").clone()
    };
    let line = |place: &Value| {
        let number = place["line"].as_u64().expect("a line") as usize;
        source
            .lines()
            .nth(number - 1)
            .unwrap_or_default()
            .to_string()
    };
    let counter = row("counter");
    assert!(line(&counter["reason"]["read"]).contains("++counter"));
    assert!(line(&counter["declared"]).contains("static long counter"));
    assert_eq!(counter["cure"]["write"], "register");
    assert!(line(&row("u[n]")["registers"][0]["place"]).contains("register(n, u[n]"));
    assert!(line(&row("spare")["reason"]["write"]).contains("spare = step"));
    assert!(line(&row("journal")["reason"]["block"]).contains("execute on restart"));
}

#[test]
fn the_same_program_gives_the_same_bytes() {
    for form in ["--explain", "--explain=json", "--explain=html"] {
        let once = explained(&[form, "tests/explain/reasons.c"]).expect("a report");
        let again = explained(&[form, "tests/explain/reasons.c"]).expect("a report");
        assert_eq!(once, again);
    }
}

#[test]
fn pages_of_programs_are_well_formed() {
    for file in ["tests/explain/reasons.c", "../samples/adaptive/main.c"] {
        let page = explained(&["--explain=html", file]).expect("a page");
        crate::page::assert_well_formed(&page);
    }
}
