//! The grammar of directives: what is accepted, what is said about the rest, and that nothing makes it panic.

use cccp_grammar::{Brings, Directive, ErrorKind, ItemPart, parse_directive};

fn error(text: &str) -> (ErrorKind, String, String, Option<String>) {
    let error = parse_directive(text).expect_err(text);
    (
        error.kind,
        error.message(),
        error.expectation(),
        error.nearest,
    )
}

#[test]
fn s01_every_directive_of_the_contract_is_accepted() {
    for text in [
        " init",
        "init comm(MPI_COMM_WORLD)",
        "init comm ( f(a, b)[1] )",
        "register(x)",
        "register ( x , p[n] , a[n][m], p[lo:n], s.f, s->f[n], p[3].x, q[a ? b : c], r[a ? b : c:2] )",
        "unregister(x, s->f)",
        "checkpoint",
        "checkpoint every(N) if(step % 10 == 0 && f(\")\", ')')) name(loop)",
        "checkpoint name(x) every(2)",
        "checkpoint ranks(1) every(2)",
        "checkpoint ranks ( 1 - 4 , 8,even, odd, 999999999 )",
        "checkpoint messages( counted ) every(2) name(x)",
        "execute on restart",
        "end execute",
        "shutdown /* done */",
        "client(solve, \\\n  relax)",
    ] {
        assert!(
            parse_directive(text).is_ok(),
            "{text}: {:?}",
            parse_directive(text)
        );
    }
}

#[test]
fn items_keep_their_ranges_and_lose_their_comments() {
    let text = "register(p->u[lo /* first */ : n * (m + 1)], x)";
    let Ok(Directive::Register { items }) = parse_directive(text) else {
        panic!("not a register")
    };
    assert_eq!(
        &text[items[0].range.clone()],
        "p->u[lo /* first */ : n * (m + 1)]"
    );
    assert_eq!(items[0].name.text, "p");
    let ItemPart::Bracket(bracket) = &items[0].parts[1] else {
        panic!("not a bracket")
    };
    assert_eq!(
        bracket.lower.as_ref().map(|lower| lower.text.as_str()),
        Some("lo")
    );
    assert_eq!(bracket.count.text, "n * (m + 1)");
    assert_eq!(&text[items[1].range.clone()], "x");
}

#[test]
fn s02_mistakes_name_what_was_expected_and_the_nearest_word() {
    let (kind, message, expected, nearest) = error("chekpoint every(3)");
    assert_eq!(kind, ErrorKind::UnknownDirective);
    assert_eq!(message, "there is no directive `chekpoint`");
    assert!(expected.contains("`checkpoint`"), "{expected}");
    assert_eq!(nearest.as_deref(), Some("checkpoint"));

    let (kind, _, expected, nearest) = error("checkpoint evry(3)");
    assert_eq!(kind, ErrorKind::UnknownClause);
    assert!(expected.contains("`every(N)`"), "{expected}");
    assert_eq!(nearest.as_deref(), Some("every"));

    let (_, _, expected, nearest) = error("execute in restart");
    assert_eq!(
        (expected.as_str(), nearest.as_deref()),
        ("expected `on`", Some("on"))
    );
    assert_eq!(
        error("exekute on restart").3.as_deref(),
        Some("execute on restart")
    );
    assert_eq!(error("").1, "a directive is missing after `cccp`");
    assert_eq!(error("register()").2, "expected a name");
    assert_eq!(error("register(x").0, ErrorKind::Malformed);
    assert_eq!(
        error("checkpoint every(2) every(3)").0,
        ErrorKind::UnknownClause
    );
    assert_eq!(error("shutdown now").0, ErrorKind::UnknownClause);
    assert!(parse_directive("register(x y)").is_err());
    assert!(parse_directive("register(*p)").is_err());
    assert!(parse_directive("checkpoints").is_err());
    for text in [
        "0",
        "",
        "n",
        "4-2",
        "1-",
        "even-odd",
        "1 2",
        "1,",
        "1234567890",
        "evens",
    ] {
        assert!(
            parse_directive(&format!("checkpoint ranks({text})")).is_err(),
            "{text}"
        );
    }
}

/// A file of the repository, by its path from the top.
fn file(path: &str) -> String {
    let top = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::read_to_string(top.join(path)).expect(path)
}

/// The line of a directive at the head of the grammar: `init [comm(EXPR)] [heap(fixed)]`.
fn form(directive: &str) -> String {
    let grammar = file("grammar/directives.pest");
    let mut head = grammar
        .lines()
        .filter_map(|line| line.strip_prefix("//     "));
    let form = head.find(|line| line.split_whitespace().next() == Some(directive));
    form.expect(directive).to_string()
}

/// The clauses in such a line.
fn clauses(form: &str) -> Vec<String> {
    let clauses = form.split('[').skip(1);
    clauses
        .map(|rest| rest.split(']').next().unwrap_or(rest).to_string())
        .collect()
}

/// How many clauses a rule of the grammar has: `init_clause = { comm | heap }`.
fn alternatives(rule: &str) -> usize {
    let grammar = file("grammar/directives.pest");
    let mut lines = grammar.lines().filter(|line| line.starts_with(rule));
    let line = lines.find(|line| line[rule.len()..].trim_start().starts_with('='));
    line.expect(rule).split('|').count()
}

#[test]
fn s01_every_clause_is_read_and_changes_what_its_directive_says() {
    for directive in ["init", "checkpoint"] {
        let clauses = clauses(&form(directive));
        let rule = format!("{directive}_clause");
        assert_eq!(
            clauses.len(),
            alternatives(&rule),
            "the head of directives.pest"
        );
        let mut seen = vec![parse_directive(directive).expect(directive)];
        for clause in &clauses {
            let clause = clause.replace("EXPR", "a > b").replace("NUMBERS", "2-4");
            let clause = clause.replace("IDENT", "a");
            let text = format!("{directive} {clause}");
            let meaning = parse_directive(&text).expect(&text);
            assert!(!seen.contains(&meaning), "{text} means nothing of its own");
            seen.push(meaning);
        }
    }
}

#[test]
fn s02_every_clause_is_named_where_another_word_stands_and_shown_where_its_bracket_is_missing() {
    for directive in ["init", "checkpoint"] {
        let clauses = clauses(&form(directive));
        let (_, _, expected, _) = error(&format!("{directive} xyzzy"));
        let offered = expected.split('`').skip(1).step_by(2);
        assert_eq!(offered.count(), clauses.len(), "{expected}");
        for clause in &clauses {
            let word = clause.split('(').next().unwrap_or(clause);
            assert!(expected.contains(&format!("`{word}")), "{word}: {expected}");
            if word != clause {
                let (_, _, expected, _) = error(&format!("{directive} {word} )"));
                assert!(
                    expected.contains(&format!("`{word}(")),
                    "{word}: {expected}"
                );
            }
            let given = clause.replace("NUMBERS", "2");
            let (kind, _, expected, _) = error(&format!("{directive} {given} {given}"));
            assert_eq!(kind, ErrorKind::UnknownClause);
            assert!(
                !expected.contains(&format!("`{word}")),
                "{word}: {expected}"
            );
        }
    }
}

#[test]
fn s01_every_clause_is_on_the_page_and_among_the_cases_of_the_precompiler() {
    let page = file("grammar/README.md");
    let (_, section) = page.split_once("\n## Clauses\n").expect("the section");
    let section = section.split("\n## ").next().unwrap_or(section);
    let cases = file("precompiler/tests/golden/directives/clauses.c");
    for directive in ["init", "checkpoint"] {
        let form = form(directive);
        assert!(
            page.contains(&format!("\n#pragma cccp {form}\n")),
            "README.md: {form}"
        );
        for clause in clauses(&form) {
            let word = clause.split('(').next().unwrap_or(&clause);
            let explained = section.lines().any(|line| {
                let line = line.trim_start_matches(['*', ' ', '`']);
                let line = line.strip_prefix("init ").unwrap_or(line);
                line.starts_with(&format!("{word}(")) || line.starts_with(&format!("{word}`"))
            });
            assert!(explained, "README.md, Clauses: {clause}");
            let case =
                |line: &str| line.contains("#pragma cccp") && line.contains(&format!(" {word}"));
            assert!(cases.lines().any(case), "clauses.c: {clause}");
        }
    }
}

/// xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }
}

#[test]
fn random_and_mutated_directives_never_panic_and_errors_lie_in_the_text() {
    let seeds = [
        "init comm(MPI_COMM_WORLD)",
        "register(x, p[n], a[n][m], p[lo:n], s.f, s->f[n])",
        "unregister(x, y)",
        "checkpoint every(10) if(a ? b : c) name(main) ranks(1-4, 8, even) messages(counted)",
        "execute on restart",
        "end execute",
        "client(f, g)",
    ];
    let pieces = [
        "(", ")", "[", "]", "{", "}", ",", ":", "?", "\"", "'", "\\", "\n", "/*", "*/", "//", " ",
        "ä", "->", ".", "if", "\u{0}", "9",
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..20_000 {
        let mut text = if random.below(4) == 0 {
            String::new()
        } else {
            seeds[random.below(seeds.len())].to_string()
        };
        for _ in 0..=random.below(6) {
            let mut at = random.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            if random.below(3) == 0 && at < text.len() {
                text.remove(at);
            } else {
                text.insert_str(at, pieces[random.below(pieces.len())]);
            }
        }
        if let Err(error) = parse_directive(&text) {
            assert!(
                text.get(error.range.clone()).is_some(),
                "{text:?}: {error:?}"
            );
            assert!(!error.message().is_empty());
        }
    }
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    for bracket in ["(", "[", "{", "?"] {
        let text = format!("checkpoint if(x {})", bracket.repeat(100_000));
        assert!(parse_directive(&text).is_err());
    }
}

#[test]
fn items_may_bring_a_block_or_all_that_can_be_reached() {
    let brings = |text: &str| match parse_directive(text) {
        Ok(Directive::Register { items }) => items
            .iter()
            .map(|item| (item.name.text.clone(), item.parts.len(), item.brings))
            .collect::<Vec<_>>(),
        other => panic!("{text}: {other:?}"),
    };
    let name = |name: &str, parts, brings| (name.to_string(), parts, brings);
    assert_eq!(brings("register(p[])"), [name("p", 0, Brings::Block)]);
    assert_eq!(
        brings("register(s->rows[3] [ ], follow( head ), follow(a.list[2]->next))"),
        [
            name("s", 2, Brings::Block),
            name("head", 0, Brings::Everything),
            name("a", 3, Brings::Everything)
        ]
    );
    // A variable may be called like that.
    assert_eq!(
        brings("register(follow, follow[n], follow[])"),
        [
            name("follow", 0, Brings::Itself),
            name("follow", 1, Brings::Itself),
            name("follow", 0, Brings::Block)
        ]
    );
    assert_eq!(
        brings("register(file(fd), file( s->row[3] ), file, file[n])"),
        [
            name("fd", 0, Brings::File),
            name("s", 2, Brings::File),
            name("file", 0, Brings::Itself),
            name("file", 1, Brings::Itself)
        ]
    );
    assert!(parse_directive("register(file())").is_err());
    assert!(parse_directive("unregister(file(fd))").is_err());
    assert!(parse_directive("register(follow())").is_err());
    assert!(parse_directive("register(p[][3])").is_err());
    assert!(parse_directive("unregister(p[])").is_err());
}
