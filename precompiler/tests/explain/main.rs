//! The report in its three forms: `tests/golden/explain/NAME.txt`, `.json` and `.html`. `CCCP_BLESS=1` writes what comes
//! out as the new expectation.

mod command;
mod made;
mod page;
mod reasons;

use std::path::PathBuf;

use cccp_precompiler::explain::{html, json, text};

/// Compares with the expectation.
fn golden(name: &str, found: &str) {
    let path = PathBuf::from("tests/golden/explain").join(name);
    if std::env::var_os("CCCP_BLESS").is_some() {
        std::fs::write(&path, found).expect("the expectation can be written");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        expected == found,
        "{name} has changed (CCCP_BLESS=1 accepts):\n{found}"
    );
}

#[test]
fn every_reason_is_said_in_all_forms() {
    let report = made::report();
    golden("made.txt", &text::text(&report, false));
    golden("made.json", &json::json(&report).expect("JSON"));
    golden("made.panel.txt", &page::outline(&html::html(&report)));
}

#[test]
fn text_fits_into_a_hundred_columns() {
    for line in text::text(&made::report(), false).lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn colours_change_nothing_but_colours() {
    let report = made::report();
    let plain = text::text(&report, false);
    let mut coloured = text::text(&report, true);
    for code in ["1;31", "1;32", "1;33", "1", "0"] {
        coloured = coloured.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(plain, coloured);
}

#[test]
fn nothing_in_the_source_gets_out_of_the_page() {
    let page = html::html(&made::report());
    page::assert_well_formed(&page);
    assert_eq!(page.matches("<script").count(), 1);
    assert!(!page.contains("<b onclick"));
    assert!(!page.contains("alert(1)</script>"));
    assert!(!page.contains('\0') && !page.contains('\u{202e}'));
    for word in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!page.contains(word), "{word}");
    }
}
