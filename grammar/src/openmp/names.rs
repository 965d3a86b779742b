//! The names of directives and clauses.

use std::fmt;

macro_rules! names {
    ($(#[$about:meta])* $kind:ident { $($name:ident $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $kind {
            $(#[doc = concat!("`", $text, "`")] $name,)*
            /// Another one: its words.
            Unknown(String),
        }

        impl $kind {
            /// All that are known.
            pub const KNOWN: &'static [$kind] = &[$($kind::$name,)*];

            /// What is written like this, with one blank between words.
            pub fn of(text: &str) -> $kind {
                match text {
                    $($text => $kind::$name,)*
                    text => $kind::Unknown(text.to_string()),
                }
            }

            /// As it is written, with one blank between words.
            pub fn text(&self) -> &str {
                match self {
                    $($kind::$name => $text,)*
                    $kind::Unknown(text) => text,
                }
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.text())
            }
        }
    };
}

names! {
    /// A directive, or one of those that a combined one consists of.
    DirectiveName {
        Allocate "allocate",
        Allocators "allocators",
        Assume "assume",
        Assumes "assumes",
        Atomic "atomic",
        Barrier "barrier",
        BeginAssumes "begin assumes",
        BeginDeclareTarget "begin declare target",
        BeginDeclareVariant "begin declare variant",
        BeginMetadirective "begin metadirective",
        Cancel "cancel",
        CancellationPoint "cancellation point",
        Critical "critical",
        DeclareMapper "declare mapper",
        DeclareReduction "declare reduction",
        DeclareSimd "declare simd",
        DeclareTarget "declare target",
        DeclareVariant "declare variant",
        Depobj "depobj",
        Dispatch "dispatch",
        Distribute "distribute",
        EndAssumes "end assumes",
        EndDeclareTarget "end declare target",
        EndDeclareVariant "end declare variant",
        EndMetadirective "end metadirective",
        Error "error",
        Flush "flush",
        For "for",
        Interop "interop",
        Loop "loop",
        Masked "masked",
        Master "master",
        Metadirective "metadirective",
        Nothing "nothing",
        Ordered "ordered",
        Parallel "parallel",
        Requires "requires",
        Scan "scan",
        Scope "scope",
        Section "section",
        Sections "sections",
        Simd "simd",
        Single "single",
        Target "target",
        TargetData "target data",
        TargetEnterData "target enter data",
        TargetExitData "target exit data",
        TargetUpdate "target update",
        Task "task",
        Taskgroup "taskgroup",
        Taskloop "taskloop",
        Taskwait "taskwait",
        Taskyield "taskyield",
        Teams "teams",
        Threadprivate "threadprivate",
        Tile "tile",
        Unroll "unroll",
    }
}

names! {
    /// What a clause is.
    ClauseKind {
        AcqRel "acq_rel",
        Acquire "acquire",
        Affinity "affinity",
        Align "align",
        Aligned "aligned",
        Allocate "allocate",
        Allocator "allocator",
        At "at",
        AtomicDefaultMemOrder "atomic_default_mem_order",
        Bind "bind",
        Capture "capture",
        Collapse "collapse",
        Compare "compare",
        Copyin "copyin",
        Copyprivate "copyprivate",
        Default "default",
        Defaultmap "defaultmap",
        Depend "depend",
        Destroy "destroy",
        Detach "detach",
        Device "device",
        DeviceType "device_type",
        DistSchedule "dist_schedule",
        Doacross "doacross",
        Enter "enter",
        Exclusive "exclusive",
        Fail "fail",
        Filter "filter",
        Final "final",
        Firstprivate "firstprivate",
        From "from",
        Full "full",
        Grainsize "grainsize",
        HasDeviceAddr "has_device_addr",
        Hint "hint",
        Holds "holds",
        If "if",
        InReduction "in_reduction",
        Inbranch "inbranch",
        Inclusive "inclusive",
        IsDevicePtr "is_device_ptr",
        Lastprivate "lastprivate",
        Linear "linear",
        Link "link",
        Map "map",
        Mergeable "mergeable",
        Message "message",
        Nocontext "nocontext",
        Nogroup "nogroup",
        Nontemporal "nontemporal",
        Notinbranch "notinbranch",
        Novariants "novariants",
        Nowait "nowait",
        NumTasks "num_tasks",
        NumTeams "num_teams",
        NumThreads "num_threads",
        Order "order",
        Ordered "ordered",
        Partial "partial",
        Priority "priority",
        Private "private",
        ProcBind "proc_bind",
        Read "read",
        Reduction "reduction",
        Relaxed "relaxed",
        Release "release",
        Safelen "safelen",
        Schedule "schedule",
        SeqCst "seq_cst",
        Severity "severity",
        Shared "shared",
        Simd "simd",
        Simdlen "simdlen",
        Sizes "sizes",
        TaskReduction "task_reduction",
        ThreadLimit "thread_limit",
        Threads "threads",
        To "to",
        Uniform "uniform",
        Untied "untied",
        Update "update",
        Use "use",
        UseDeviceAddr "use_device_addr",
        UseDevicePtr "use_device_ptr",
        UsesAllocators "uses_allocators",
        Weak "weak",
        Write "write",
    }
}
