//! Entries of the function catalogue: every form is read, and what is wrong is said with its place.

use cccp_grammar::{
    Amount, Clause, Condition, Entry, Extent, FunctionEntry, HeadKind, Measure, Root, Value,
    catalogue_entries, catalogue_heads, parse_catalogue_entry,
};

#[track_caller]
fn function(text: &str) -> FunctionEntry {
    match parse_catalogue_entry(text) {
        Ok(Entry::Function(function)) => function,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_function_with_all_its_clauses() {
    let found = function(
        "memcpy, __builtin_memcpy(s1, s2, n) cite 7.24.2.1   # a comment\n    reads s2[n]\n\n    # another\n    \
         fills s1[n]\n    returns s1\n    role copies\n",
    );
    let names: Vec<&str> = found.names.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(names, ["memcpy", "__builtin_memcpy"]);
    assert_eq!(found.parameters.len(), 3);
    assert_eq!(found.citation.unwrap().text, "7.24.2.1");
    let [
        Clause::Reads(read),
        Clause::Fills(filled),
        Clause::Returns(back),
        Clause::Roles(roles),
    ] = found.clauses.as_slice()
    else {
        panic!("{:?}", found.clauses);
    };
    assert!(matches!(&read[0].root, Root::Parameter(name) if name.text == "s2"));
    assert!(matches!(
        &filled[0].extent,
        Some(Extent::Elements(Amount::Parameter { name, behind: false })) if name.text == "n"
    ));
    assert!(matches!(&back[0], Value::Same(place) if place.stars == 0));
    assert_eq!(roles[0].text, "copies");
}

#[test]
fn memory_is_named_in_every_way() {
    let found = function(
        "f(p, q, n, root, request, ...)\n reads p[terminated], **q, ..., @random, q->a.b\n \
         writes p[2 * (n + 1) - abs(*n) of q] until request, q[total(n) of p] at root, p if n\n keeps p in @strings\n \
         creates return, p\n destroys *q\n frees p\n nullable p, q\n in place p for q\n never returns\n",
    );
    assert!(found.variadic);
    let Clause::Reads(reads) = &found.clauses[0] else {
        panic!()
    };
    assert_eq!(reads[0].extent, Some(Extent::Terminated));
    assert_eq!(reads[1].stars, 2);
    assert_eq!(reads[2].root, Root::Rest);
    assert!(matches!(&reads[3].root, Root::Hidden(name) if name.text == "random"));
    assert_eq!(reads[4].members.len(), 2);
    let Clause::Writes(writes) = &found.clauses[1] else {
        panic!()
    };
    assert!(matches!(&writes[0].condition, Some(Condition::Until(name)) if name.text == "request"));
    assert!(matches!(&writes[1].condition, Some(Condition::At(_))));
    assert!(matches!(
        &writes[1].extent,
        Some(Extent::Elements(Amount::Of(inner, _))) if matches!(**inner, Amount::Measure(Measure::Total, _))
    ));
    assert!(matches!(&writes[2].condition, Some(Condition::If(_))));
    assert!(
        matches!(&found.clauses[2], Clause::Keeps { state: Some(name), .. } if name.text == "strings")
    );
    assert!(
        matches!(&found.clauses[3], Clause::Creates(places) if places[0].root == Root::Returned)
    );
    assert!(matches!(&found.clauses[7], Clause::InPlace { .. }));
    assert_eq!(found.clauses[8], Clause::NeverReturns);
}

#[test]
fn what_comes_back_and_who_is_called() {
    let found = function("g(lines, s)\n stores new[2] or into s or null in *lines[1]\n");
    assert!(
        matches!(&found.clauses[0], Clause::Stores { values, places } if values.len() == 3 && places[0].stars == 1)
    );
    let found = function(
        "g(base, compare)\n calls compare(into base, base, _, @arguments)\n returns new[2 * 3] or base or into base \
         or @time or null or new\n",
    );
    let Clause::Calls { arguments, .. } = &found.clauses[0] else {
        panic!()
    };
    assert!(arguments[2].is_empty());
    assert!(matches!(arguments[0].as_slice(), [Value::Into(_)]));
    let Clause::Returns(values) = &found.clauses[1] else {
        panic!()
    };
    assert!(matches!(&values[0], Value::New(Some(_))));
    assert!(matches!(&values[1], Value::Same(_)));
    assert!(matches!(&values[2], Value::Into(_)));
    assert!(matches!(&values[3], Value::Same(place) if matches!(place.root, Root::Hidden(_))));
    assert_eq!(values[4], Value::Null);
    assert_eq!(values[5], Value::New(None));
}

#[test]
fn a_file_falls_into_entries() {
    let text = "# the head\n\nchapter C17 7.22 General utilities <stdlib.h>\nhandle MPI_Comm, FILE\nstate @random: the \
                seed\n\nabs(j) cite 7.22.6.1\n\n# remark\nfree(ptr)\n    frees ptr\n    nullable ptr\n";
    let heads = catalogue_heads(text);
    assert_eq!(
        &text[heads[4].chapter.clone()],
        "C17 7.22 General utilities <stdlib.h>"
    );
    assert_eq!(heads[4].kind, HeadKind::Functions(vec!["free".to_string()]));
    let entries: Vec<Entry> = catalogue_entries(text)
        .into_iter()
        .map(|range| parse_catalogue_entry(&text[range]).unwrap())
        .collect();
    assert!(
        matches!(&entries[0], Entry::Chapter(text) if text.text == "C17 7.22 General utilities <stdlib.h>")
    );
    assert!(matches!(&entries[1], Entry::Handles(names) if names.len() == 2));
    assert!(matches!(&entries[2], Entry::State { name, .. } if name.text == "random"));
    assert!(matches!(&entries[3], Entry::Function(one) if one.clauses.is_empty()));
    assert!(matches!(&entries[4], Entry::Function(one) if one.clauses.len() == 2));
    assert_eq!(entries.len(), 5);
}

#[test]
fn all_that_can_be_reached_and_callbacks_in_structs() {
    let found = function(
        "h(s, all)\n reads all of s, all\n stores all of *s->next in s->first\n calls *s->hook(_, all of s or null, _x)\n",
    );
    let Clause::Reads(reads) = &found.clauses[0] else {
        panic!()
    };
    assert!(reads[0].everything && !reads[1].everything);
    assert!(matches!(&reads[1].root, Root::Parameter(name) if name.text == "all"));
    let Clause::Stores { values, .. } = &found.clauses[1] else {
        panic!()
    };
    assert!(matches!(&values[0], Value::Same(place) if place.everything && place.stars == 1));
    let Clause::Calls {
        callback,
        arguments,
    } = &found.clauses[2]
    else {
        panic!()
    };
    assert_eq!((callback.stars, callback.members.len()), (1, 1));
    let counts: Vec<usize> = arguments.iter().map(Vec::len).collect();
    assert_eq!(counts, [0, 2, 1]);
}

#[test]
fn families_of_names_are_all_their_members() {
    let text = "family a: x, _y_\nfamily b: 1, 2 # remark\nf{a}g, h{b}{a}(p)\nk(p)\nvariable x, y in @z # remark\n";
    let heads = catalogue_heads(text);
    let HeadKind::Functions(names) = &heads[2].kind else {
        panic!("{heads:?}");
    };
    assert_eq!(names.join(" "), "fxg f_y_g h1x h1_y_ h2x h2_y_");
    let entry = parse_catalogue_entry(&text[heads[2].entry.clone()]);
    assert!(matches!(entry, Ok(Entry::Function(one)) if one.names[1].text == "h{b}{a}"));
    let variables = |inside| HeadKind::Variables(vec!["x".into(), "y".into()], "z".into(), inside);
    assert_eq!(heads[4].kind, variables(false));
    let inside = "variable x, y into @z\n";
    assert_eq!(catalogue_heads(inside)[0].kind, variables(true));
    let entry = parse_catalogue_entry(inside);
    assert!(
        matches!(entry, Ok(Entry::Variables { names, state }) if names.len() == 2 && state.text == "z")
    );
    let entry = parse_catalogue_entry(&text[heads[4].entry.clone()]);
    assert!(
        matches!(entry, Ok(Entry::Variables { names, state }) if names.len() == 2 && state.text == "z")
    );
    let family = parse_catalogue_entry(&text[heads[0].entry.clone()]);
    assert!(matches!(family, Ok(Entry::Family { parts, .. }) if parts.len() == 2));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, found, words) in [
        ("f(a)\n    raeds a\n", "raeds", "reads"),
        ("f(a\n", "a", ""),
        ("f(a)\n    reads a[\n", "\n", "amount"),
        ("f(a)\n    returns\n", "returns", ""),
        ("state random: x\n", "random", "@name"),
        ("f(..., a)\n", "f", ""),
        ("f(a)\n    reads a b\n", "b", ""),
        ("  reads a\n", "reads", ""),
    ] {
        let error = parse_catalogue_entry(text).expect_err(text);
        assert_eq!(
            &text[error.range.clone()],
            found,
            "{text}: {}",
            error.message
        );
        assert!(error.message.contains(words), "{text}: {}", error.message);
    }
    let deep = format!("f(a)\n reads a[{}1{}]\n", "(".repeat(99), ")".repeat(99));
    assert!(
        parse_catalogue_entry(&deep)
            .unwrap_err()
            .message
            .contains("nested")
    );
}
