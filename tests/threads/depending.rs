//! Variants of `steps.c` in which something depends on the number of threads.

/// Texts, each in the place of another one.
pub type Changes<'a> = &'a [(&'a str, &'a str)];

/// Lines that make something depend on the number of threads, and what is said of it.
pub const DEPENDING: [(&str, Changes, &str); 18] = [
    (
        "an array with an element for each thread that is saved",
        &[
            (
                "/* begun */",
                "unsigned long *part = calloc((size_t)omp_get_max_threads(), sizeof *part);\n#pragma cccp register(part[])",
            ),
            ("/* between */", "hits += part[0]++;"),
        ],
        "`part[…]` depends on it (line 18)",
    ),
    (
        "an array of fixed length with an element for each thread",
        &[
            (
                "static unsigned long u[N]",
                "static unsigned long part[64], u[N]",
            ),
            ("own, u)", "own, part, u)"),
            (
                "scratch[omp_get_thread_num()] = 0;",
                "part[omp_get_thread_num()] += 3;",
            ),
            ("/* between */", "hits += part[1];"),
        ],
        "`part` depends on it (line 24)",
    ),
    (
        "the number in a variable",
        &[
            ("long own = 7;", "long own = 7; /* */"),
            ("/* begun */", "own = omp_get_max_threads();"),
        ],
        "`own` depends on it (line 18)",
    ),
    (
        "the number by way of a function and a member",
        &[
            (
                "int main(void)",
                "struct team { int size; };\nstatic int size(void) { return omp_get_num_procs(); }\nint main(void)",
            ),
            (
                "/* begun */",
                "struct team team; team.size = size(); own = team.size * 2;",
            ),
        ],
        "`own` depends on it (line 20)",
    ),
    (
        "the environment",
        &[("/* begun */", "own = atoi(getenv(\"OMP_NUM_THREADS\"));")],
        "`own` depends on it (line 18)",
    ),
    (
        "each thread counts itself",
        &[("#pragma omp single", "#pragma omp critical")],
        "`rounds` depends on it (line 35)",
    ),
    (
        "each thread adds to a reduction",
        &[("scratch[omp_get_thread_num()] = 0;", "hits++;")],
        "the reduction of `hits` (line 23) may depend on it",
    ),
    (
        "a partial sum is looked at",
        &[("w[i] = t * 5", "w[i] = t * 5 + hits")],
        "the reduction of `hits` (line 23) may depend on it",
    ),
    (
        "what a thread's iterations leave in a variable of its own",
        &[("t = 0;", "if (i % 9 == 0) t = 0;")],
        "depends on it (line",
    ),
    (
        "what a thread's last iteration leaves",
        &[("u[i] = w[i] % 10007;", "u[i] = (w[i] + t) % 10007;")],
        "depends on it (line",
    ),
    (
        "what a thread's last iteration leaves by way of a function",
        &[
            (
                "int main(void)",
                "static void fill(unsigned long *left) {\n#pragma omp for\nfor (int k = 0; k < N; k++) *left = (unsigned long)k; }\nint main(void)",
            ),
            (
                "#pragma omp single",
                "unsigned long left = 0; fill(&left);\n#pragma omp single",
            ),
            ("u[i] = w[i] % 10007;", "u[i] = (w[i] + left) % 10007;"),
        ],
        "depends on it (line",
    ),
    (
        "the expression with a call that leads to the checkpoint",
        &[
            (
                "int main(void)",
                "static unsigned long scratch[64];\nstatic long run(void)",
            ),
            (
                "unsigned long *scratch = calloc((size_t)omp_get_max_threads(), sizeof *scratch); /* set up */\n#pragma cccp init\n",
                "",
            ),
            (
                "#pragma cccp shutdown\n    free(scratch);\n    return 0;\n}",
                "return own; }\nint main(void) {\n\
                 #pragma cccp init\nlong got = omp_get_max_threads() * run();\n\
                 printf(\"%ld\", got);\n#pragma cccp shutdown\nreturn 0; }",
            ),
        ],
        "the expression with the call that leads here depends on it (line",
    ),
    (
        "a thread's copy that stays",
        &[
            (
                "static unsigned long u[N]",
                "static long kept;\n#pragma omp threadprivate(kept)\nstatic unsigned long u[N]",
            ),
            ("w[i] = t * 5", "w[i] = t * 5 + (unsigned long)kept++"),
        ],
        "each thread has a copy of `kept` that stays",
    ),
    (
        "a thread's copy that stays, registered by each thread",
        &[
            (
                "static unsigned long u[N]",
                "static unsigned long kept;\n#pragma omp threadprivate(kept)\nstatic unsigned long u[N]",
            ),
            (
                "/* begun */",
                "#pragma omp parallel\n    {\n#pragma cccp register(kept)\n    kept = 1;\n    }",
            ),
            ("scratch[omp_get_thread_num()] = 0;", "kept += 2;"),
            ("w[i] = t * 5", "w[i] = t * 5 + kept"),
        ],
        "each thread has a copy of `kept` that stays",
    ),
    (
        "a team of a size that is saved",
        &[
            (
                "static unsigned long u[N]",
                "static unsigned long part[64], u[N]",
            ),
            ("own, u)", "own, part, u)"),
            (
                "/* between */",
                "#pragma omp parallel num_threads(own % 4 + 1)\n    part[omp_get_thread_num()] += 3;\n    hits += part[2];",
            ),
        ],
        "`part` depends on it (line",
    ),
    (
        "the way to the checkpoint",
        &[(
            "#pragma cccp checkpoint name(top)",
            "if (omp_get_max_threads() > 1) {\n#pragma cccp checkpoint name(top)\n}",
        )],
        "whether control comes here depends on it (line 21)",
    ),
    (
        "a number that the program sets",
        &[("/* begun */", "omp_set_num_threads(3);")],
        "the program sets it itself by `omp_set_num_threads` (line 18)",
    ),
    (
        "a checkpoint in a region",
        &[
            ("#pragma cccp checkpoint name(top)\n", ""),
            (
                "#pragma omp single",
                "#pragma cccp checkpoint name(top)\n#pragma omp single",
            ),
        ],
        "each thread of the region has its own `hits`",
    ),
];
