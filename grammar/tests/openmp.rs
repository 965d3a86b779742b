//! The grammar of OpenMP: what each directive and clause is read as, and that nothing makes it panic.

use cccp_grammar::openmp::{Clause, ClauseKind, Construct, Content, DirectiveName};

fn names(text: &str) -> Vec<String> {
    let construct = Construct::read(text);
    construct
        .directives
        .iter()
        .map(|one| one.to_string())
        .collect()
}

/// The only clause of a directive.
fn clause(text: &str) -> Clause {
    let construct = Construct::read(&format!("parallel {text}"));
    assert_eq!(construct.directives, [DirectiveName::Parallel], "{text}");
    assert_eq!(
        construct.clauses.len(),
        1,
        "{text}: {:?}",
        construct.clauses
    );
    construct.clauses[0].clone()
}

fn listed(clause: &Clause) -> Vec<&str> {
    clause.variables().map(|one| one.text.as_str()).collect()
}

#[test]
fn every_directive_is_known_by_its_name() {
    for name in DirectiveName::KNOWN {
        let construct = Construct::read(name.text());
        assert_eq!(construct.directives, std::slice::from_ref(name));
        assert!(
            construct.clauses.is_empty() && construct.arguments.is_empty(),
            "{name}"
        );
        let spread = name.text().replace(' ', " /* a */ \\\n\t");
        assert_eq!(
            Construct::read(&spread).directives,
            std::slice::from_ref(name)
        );
        let longer = Construct::read(&format!("{name}x"));
        assert!(!longer.has(name), "{name}x");
    }
}

#[test]
fn combined_directives_are_taken_apart() {
    for (text, expected) in [
        ("parallel for", &["parallel", "for"][..]),
        ("parallel\tfor simd", &["parallel", "for", "simd"]),
        ("parallel sections", &["parallel", "sections"]),
        (
            "parallel masked taskloop simd",
            &["parallel", "masked", "taskloop", "simd"],
        ),
        ("parallel master", &["parallel", "master"]),
        (
            "target teams distribute parallel for simd",
            &["target", "teams", "distribute", "parallel", "for", "simd"],
        ),
        ("target data map(a)", &["target data"]),
        ("target parallel", &["target", "parallel"]),
        ("teams loop", &["teams", "loop"]),
        ("for ordered", &["for"]),
        ("ordered simd threads", &["ordered"]),
        ("end  declare\ttarget", &["end declare target"]),
        ("flush(a)", &["flush"]),
        ("parallel // for", &["parallel"]),
    ] {
        assert_eq!(names(text), expected, "{text}");
    }
}

#[test]
fn every_clause_is_known_by_its_name() {
    for kind in ClauseKind::KNOWN {
        let inside = match kind {
            ClauseKind::Reduction | ClauseKind::InReduction | ClauseKind::TaskReduction => {
                "(+ : x)"
            }
            ClauseKind::AcqRel
            | ClauseKind::Acquire
            | ClauseKind::Capture
            | ClauseKind::Compare
            | ClauseKind::Inbranch
            | ClauseKind::Nogroup
            | ClauseKind::Notinbranch
            | ClauseKind::Read
            | ClauseKind::Relaxed
            | ClauseKind::Release
            | ClauseKind::SeqCst
            | ClauseKind::Threads
            | ClauseKind::Update
            | ClauseKind::Weak
            | ClauseKind::Write => "",
            // Behind `parallel` it is a directive.
            ClauseKind::Simd => continue,
            _ => "(x)",
        };
        let found = clause(&format!("{kind} {inside}"));
        assert_eq!(found.kind, *kind);
        assert_eq!(
            found.content == Content::Nothing,
            inside.is_empty(),
            "{kind}"
        );
    }
    let ordered = Construct::read("ordered simd");
    assert_eq!(ordered.clauses[0].kind, ClauseKind::Simd);
}

#[test]
fn lists_have_variables_modifiers_and_array_sections() {
    let found = clause("firstprivate( a , b[0:n] ,c )");
    assert_eq!(listed(&found), ["a", "b", "c"]);
    let Content::List { items, .. } = &found.content else {
        panic!("no list")
    };
    assert!(items[0].is_whole() && !items[1].is_whole());
    let section = &items[1].sections[0];
    assert!(section.is_section);
    assert_eq!(
        section.lower.as_ref().map(|one| one.text.as_str()),
        Some("0")
    );
    assert_eq!(
        section.length.as_ref().map(|one| one.text.as_str()),
        Some("n")
    );

    let found = clause("map(always, tofrom : s->a[:n][lo : n : 2], s.b, *p)");
    let Content::List {
        modifiers, items, ..
    } = &found.content
    else {
        panic!("no list")
    };
    assert_eq!(modifiers.len(), 2);
    assert_eq!(listed(&found), ["s", "s"]);
    assert_eq!(items[0].sections.len(), 2);
    assert_eq!(items[0].sections[0].lower, None);
    assert!(items[0].sections[1].stride.is_some());
    assert_eq!(items[2].text.text, "*p");

    assert_eq!(listed(&clause("lastprivate(conditional : x)")), ["x"]);
    assert_eq!(
        listed(&clause("depend(iterator(int i = 0 : n), in : a[i], b)")),
        ["a", "b"]
    );
    assert_eq!(listed(&clause("depend(source)")), ["source"]);
    assert_eq!(clause("depend(source :)").kind, ClauseKind::Depend);
    assert_eq!(
        clause("doacross(sink : i - 1, j)").items()[0].text.text,
        "i - 1"
    );
    assert_eq!(
        listed(&clause("allocate(omp_high_bw_mem_alloc : x, y)")),
        ["x", "y"]
    );
    assert_eq!(listed(&clause("aligned(p, q : 64)")), ["p", "q"]);
    assert_eq!(listed(&clause("shared(n ? a : b)")), [""; 0]);
}

#[test]
fn reductions_have_operators() {
    for (text, sign) in [
        ("reduction(+:a,b)", "+"),
        ("reduction ( && : a , b )", "&&"),
        ("reduction(task, | : a, b)", "|"),
        ("in_reduction(max: a, b)", "max"),
        ("task_reduction(mine:a,b)", "mine"),
        ("reduction(inscan, - : a, b[0:4])", "-"),
    ] {
        let found = clause(text);
        let Content::List { operator, .. } = &found.content else {
            panic!("{text}: {found:?}")
        };
        assert_eq!(operator.as_ref().map(|one| one.text.as_str()), Some(sign));
        assert_eq!(listed(&found), ["a", "b"], "{text}");
    }
}

#[test]
fn linear_has_its_three_forms() {
    for text in [
        "linear(a, b)",
        "linear(a, b : 2 * n)",
        "linear(val(a, b))",
        "linear(ref(a, b) : 4)",
        "linear(a, b : val, step(2))",
    ] {
        let found = clause(text);
        assert_eq!(found.kind, ClauseKind::Linear, "{text}");
        assert_eq!(listed(&found), ["a", "b"], "{text}");
    }
}

#[test]
fn schedules_conditions_and_expressions_are_text_with_ranges() {
    let whole = "parallel for schedule(monotonic, simd : dynamic , n * f(2, 3)) if(parallel : n > 1 ? a : b) num_threads( 2*k )";
    let construct = Construct::read(whole);
    let schedule = construct.schedule().expect("a schedule");
    assert_eq!(schedule.word(), Some("dynamic"));
    let chunk = schedule.expression().expect("a chunk");
    assert_eq!(
        (chunk.text.as_str(), &whole[chunk.range.clone()]),
        ("n * f(2, 3)", "n * f(2, 3)")
    );
    let condition = &construct.clauses[1];
    let Content::Condition { of, condition } = &condition.content else {
        panic!("no condition")
    };
    assert_eq!(of, &[DirectiveName::Parallel]);
    assert_eq!(&whole[condition.range.clone()], "n > 1 ? a : b");
    let threads = &construct.clauses[2];
    assert_eq!(threads.kind, ClauseKind::NumThreads);
    assert_eq!(&whole[threads.range.clone()], "num_threads( 2*k )");
    assert_eq!(
        threads.expression().map(|one| one.text.as_str()),
        Some("2*k")
    );

    let Content::Condition { of, .. } = clause("if(target enter data : x)").content else {
        panic!("no condition")
    };
    assert_eq!(of, [DirectiveName::TargetEnterData]);
    let Content::Condition { of, .. } = clause("if(parallel)").content else {
        panic!("no condition")
    };
    assert!(of.is_empty());
    assert_eq!(
        clause("grainsize(strict: 4)")
            .expression()
            .map(|one| one.text.as_str()),
        Some("4")
    );
    assert_eq!(clause("default(none)").word(), Some("none"));
    assert_eq!(
        clause("order(reproducible : concurrent)").word(),
        Some("concurrent")
    );
    assert_eq!(clause("ordered").content, Content::Nothing);
    assert_eq!(
        Construct::read("for collapse(2) ordered(3)").loop_depth(),
        3
    );
    assert_eq!(Construct::read("for collapse(N)").loop_depth(), 1);
}

#[test]
fn what_stands_in_parentheses_of_the_directive_is_kept() {
    let critical = Construct::read("critical ( queue ) hint(omp_sync_hint_contended)");
    assert_eq!(critical.name().map(|one| one.text.as_str()), Some("queue"));
    let private = Construct::read("threadprivate(a,b , c)");
    let names: Vec<&str> = private
        .arguments
        .iter()
        .map(|one| one.text.text.as_str())
        .collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert_eq!(Construct::read("flush acq_rel (x)").arguments.len(), 1);
    assert_eq!(
        Construct::read("declare reduction(m : int : omp_out += omp_in)")
            .arguments
            .len(),
        1
    );
    let cancel = Construct::read("cancel for if(done)");
    assert_eq!(
        (cancel.directives, cancel.cancelled),
        (vec![DirectiveName::Cancel], Some(DirectiveName::For))
    );
    let point = Construct::read("cancellation  point taskgroup");
    assert_eq!(point.cancelled, Some(DirectiveName::Taskgroup));
}

#[test]
fn clauses_may_stand_apart_close_together_and_behind_commas() {
    let construct =
        Construct::read("parallel for private(i)firstprivate(j),nowait , collapse(2)  untied,");
    let kinds: Vec<&str> = construct
        .clauses
        .iter()
        .map(|one| one.kind.text())
        .collect();
    assert_eq!(
        kinds[..5],
        ["private", "firstprivate", "nowait", "collapse", "untied"]
    );
    let spliced = Construct::read("parallel private(a, /* first */ \\\n  b) // the end");
    assert_eq!(
        spliced
            .private()
            .map(|one| one.text.as_str())
            .collect::<Vec<_>>(),
        ["a", "b"]
    );
    assert_eq!(spliced.text, "parallel private(a,      b)");
}

#[test]
fn what_is_not_known_is_kept_and_the_worst_is_said_of_it() {
    let strange = Construct::read("paralel for private(x)");
    assert_eq!(
        strange.directives,
        [DirectiveName::Unknown("paralel".to_string())]
    );
    assert!(
        strange.is_unknown()
            && strange.runs_at_any_time()
            && strange.shares_out()
            && strange.runs_in_other_threads()
    );
    assert_eq!(strange.private().count(), 1);
    let clause_kinds = |text: &str| {
        let construct = Construct::read(text);
        construct
            .clauses
            .iter()
            .map(|one| one.kind.clone())
            .collect::<Vec<_>>()
    };
    let unknown = |name: &str| ClauseKind::Unknown(name.to_string());
    assert_eq!(
        clause_kinds("parallel fancy(a, b) nowait"),
        [unknown("fancy"), ClauseKind::Nowait]
    );
    // Parentheses that hold nothing useful.
    assert_eq!(
        clause_kinds("parallel private() nowait"),
        [unknown("private"), ClauseKind::Nowait]
    );
    assert_eq!(
        clause_kinds("parallel private(a"),
        [unknown("private"), unknown("(a")]
    );
    assert_eq!(names(""), [""]);
    assert!(Construct::read("").is_unknown());
    assert!(Construct::read("metadirective when(x : parallel)").runs_in_other_threads());
    let deep = format!("parallel if({}1{})", "(".repeat(5000), ")".repeat(5000));
    assert!(Construct::read(&deep).is_unknown());
}

#[test]
fn directives_without_a_statement_are_told_apart() {
    for text in [
        "barrier",
        "taskwait depend(in : x)",
        "taskyield",
        "flush(a)",
        "cancel for",
        "cancellation point for",
        "target update to(a)",
        "target enter data map(a)",
        "ordered depend(source)",
        "ordered doacross(sink : i - 1)",
        "scan inclusive(x)",
        "error at(execution)",
        "depobj(d) destroy",
        "nothing",
    ] {
        let construct = Construct::read(text);
        assert!(
            construct.stands_alone() && !construct.is_declarative(),
            "{text}"
        );
    }
    for text in [
        "threadprivate(a)",
        "declare simd",
        "declare target",
        "end declare target",
        "requires unified_address",
        "allocate(x)",
        "end something",
        "declare something",
    ] {
        let construct = Construct::read(text);
        assert!(
            construct.stands_alone() && construct.is_declarative(),
            "{text}"
        );
    }
    for text in [
        "parallel",
        "for",
        "sections",
        "section",
        "single",
        "masked",
        "master",
        "critical",
        "atomic",
        "ordered",
        "ordered simd",
        "task",
        "taskloop",
        "taskgroup",
        "target",
        "target data map(a)",
        "scope",
        "loop",
        "something",
    ] {
        assert!(!Construct::read(text).stands_alone(), "{text}");
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

#[test]
fn no_text_makes_it_panic_and_every_range_is_of_the_text() {
    let seeds = [
        "parallel for schedule(dynamic, 4) reduction(+ : sum) if(parallel : n > 100)",
        "target enter data map(always, to : a[0:n][:], s->b)",
        "critical(name) hint(1)",
        "cancel for if(done)",
        "declare reduction(m : T : omp_out = f(omp_out, omp_in)) initializer(omp_priv = 0)",
        "taskloop grainsize(strict : 4) linear(val(x) : 2) depend(iterator(i = 0 : n), in : a[i])",
        "",
    ];
    let pieces = [
        "(", ")", "[", "]", "{", "}", ",", ":", "?", "\"", "'", "\\", "\n", "/*", "*/", "//", " ",
        "ä", "->", ".", "if(", "private(", "for", "\u{0}", "9", "\\\n", "+", "target ", "data",
        "declare ",
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..5_000 {
        let mut text = seeds[random.below(seeds.len())].to_string();
        for _ in 0..=random.below(8) {
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
        let construct = Construct::read(&text);
        assert!(!construct.directives.is_empty());
        for clause in &construct.clauses {
            assert!(text.get(clause.range.clone()).is_some(), "{text}");
            for item in clause.items() {
                assert!(text.get(item.text.range.clone()).is_some(), "{text}");
            }
        }
    }
}

#[test]
fn what_is_private_by_default_and_done_by_one_thread_is_told() {
    assert!(Construct::read("parallel default(firstprivate)").is_private_by_default());
    assert!(!Construct::read("parallel default(none) shared(a)").is_private_by_default());
    for (text, divides, by_one) in [
        ("parallel", false, false),
        ("parallel for", true, false),
        ("single copyprivate(x)", true, true),
        ("masked", true, true),
        ("masked filter(n)", true, false),
        ("critical", false, false),
        ("atomic capture", false, false),
        ("task", true, false),
        ("something", true, false),
    ] {
        let construct = Construct::read(text);
        assert_eq!(
            (construct.divides(), construct.is_by_one_thread()),
            (divides, by_one),
            "{text}"
        );
    }
}
