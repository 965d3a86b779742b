//! What is not a directive passes through, whatever its bytes.

use std::ffi::OsString;

use cccp_precompiler::catalog::Catalogue;
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::compile;
use cccp_precompiler::syntax::with_stack;

/// What the precompiler makes of a file with these bytes.
fn precompiled(name: &str, bytes: &[u8]) -> Vec<u8> {
    let directory = std::env::temp_dir().join(format!("cccp-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for temporary files");
    let path = directory.join("program.c");
    std::fs::write(&path, bytes).expect("the program can be written");
    let words = [OsString::from("cccp-pp"), path.into_os_string()];
    let options = Options::read(words.into_iter()).expect("the options are right");
    let compiled = compile(&options, &Catalogue::builtin());
    let _ = std::fs::remove_dir_all(directory);
    assert!(
        compiled.diagnostics.is_empty(),
        "{:?}",
        compiled.diagnostics
    );
    compiled.results.into_iter().next().expect("one result").1
}

#[test]
fn s04_a_program_without_directives_comes_out_unchanged() {
    let programs: [(&str, &[u8]); 7] = [
        (
            "plain",
            b"#include <stdio.h>\nint main(void) { puts(\"x\"); return 0; }\n",
        ),
        (
            "crlf",
            b"/* a */\r\nint main(void)\r\n{\r\n\treturn 0;\r\n}\r\n",
        ),
        ("bom", b"\xef\xbb\xbfint main(void) { return 0; }\n"),
        (
            "latin1",
            b"/* gr\xf6\xdfe */ char s[] = \"\xe4\";\nint main(void) { return s[0] == 0; }\n",
        ),
        ("no-newline", b"int main(void) { return 0; }"),
        (
            "other-pragmas",
            b"#pragma omp parallel\n#line 7 \"x.y\"\nint x; // #pragma cccp init\n",
        ),
        (
            "inactive",
            b"#if 0\n#pragma cccp init\n#pragma cccp nonsense\n#endif\nint x;\n",
        ),
    ];
    for (name, bytes) in programs {
        let found = precompiled(name, bytes);
        assert_eq!(found, bytes, "{name}: {}", String::from_utf8_lossy(&found));
    }
}

#[test]
fn s03_bytes_around_directives_survive_in_every_encoding() {
    for (name, bytes) in [
        ("crlf-directive", &b"int main(void)\r\n{\r\n    int n = 0; /* \xf6 */\r\n#pragma cccp init\r\n#pragma cccp register(n)\r\n#pragma cccp checkpoint\r\n    return n; /* \xe4 */\r\n}\r\n"[..]),
        ("bom-directive", b"\xef\xbb\xbfint main(void)\n{\n    int n = 0; /* \xc3\xb6 */\n#pragma cccp init\n#pragma cccp register(n)\n#pragma cccp checkpoint\n    return n; /* \xc3\xa4 */\n}\n"),
    ] {
        let found = precompiled(name, bytes);
        let (before, after) = (lines(bytes), lines(&found));
        let shown = String::from_utf8_lossy(&found);
        // The comments stand on lines that end as they did.
        for line in before {
            if let Some(comment) = line.windows(2).position(|two| two == b"/*") {
                let rest = &line[comment..];
                assert!(
                    after.iter().any(|line| line.ends_with(rest)),
                    "{name}: {shown}"
                );
            }
        }
        assert_eq!(found.starts_with(b"\xef\xbb\xbf"), bytes.starts_with(b"\xef\xbb\xbf"), "{name}: {shown}");
    }
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split(|&byte| byte == b'\n').collect()
}

#[test]
fn deep_nesting_exhausts_no_stack() {
    let nest = |open: &str, inner: &str, close: &str| {
        let (open, close) = (open.repeat(1000), close.repeat(1000));
        format!("int f(int x)\n{{\n    {open}{inner}{close};\n    return x;\n}}\n").into_bytes()
    };
    for (name, program) in [
        ("deep-parentheses", nest("(", "x", ")")),
        ("deep-signs", nest("-~", "x", "")),
        ("deep-ifs", nest("if (x) {", "x++;", "}")),
        ("deep-else", nest("if (x) x++; else ", "x--", "")),
        ("long-sum", nest("x + ", "x", "")),
    ] {
        assert_eq!(
            with_stack(|| precompiled(name, &program)),
            program,
            "{name}"
        );
    }
}
