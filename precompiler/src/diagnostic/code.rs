//! The codes of diagnostics. Each has a page in `codes/`, shown by `cccp-pp --explain CODE`.

use std::fmt;

/// The code of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

impl fmt::Display for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "CCCP{:03}", self.0)
    }
}

macro_rules! codes {
    ($($(#[$documentation:meta])* $name:ident = $number:literal;)*) => {
        impl Code {
            $($(#[$documentation])* pub const $name: Code = Code($number);)*
        }

        /// Every code and its page.
        pub const PAGES: &[(Code, &str)] =
            &[$((Code($number), include_str!(concat!("codes/CCCP", stringify!($number), ".md")))),*];
    };
}

// 101–199: reading, directives and their places. 201–: what is done with them. 301–: what the analyses of the whole
// program find.
codes! {
    /// A file cannot be read.
    UNREADABLE = 101;
    /// The preprocessor failed.
    PREPROCESSOR = 102;
    /// The parser does not understand the C text.
    SYNTAX = 103;
    /// A misspelt directive.
    UNKNOWN_DIRECTIVE = 104;
    /// A clause that the directive does not have.
    UNKNOWN_CLAUSE = 105;
    /// A directive with a mistake in it.
    MALFORMED_DIRECTIVE = 106;
    /// A name in a directive that is declared nowhere.
    UNKNOWN_NAME = 107;
    /// A directive where no statement may stand.
    MISPLACED = 108;
    /// A directive in the arguments of a macro.
    IN_MACRO_ARGUMENTS = 109;
    /// A directive that a macro made.
    FROM_MACRO = 110;
    /// A directive in an included file.
    IN_INCLUDED_FILE = 111;
    /// `execute on restart` and `end execute` do not match.
    UNBALANCED_EXECUTE = 112;
    /// A register of something that has no size.
    INCOMPLETE_TYPE = 113;
    /// An item that does not name memory.
    NO_MEMORY = 114;
    /// Brackets that do not fit the item.
    WRONG_EXTENTS = 115;
    /// An `unregister` of what is never registered.
    NEVER_REGISTERED = 116;
    /// A checkpoint that no `init` can reach.
    NO_INIT = 117;
    /// A clause whose expression has the wrong type.
    WRONG_CLAUSE_TYPE = 118;
    /// Backward gotos that make overlapping loops.
    OVERLAPPING_LOOPS = 119;
    /// A second `init` in one function.
    SECOND_INIT = 120;
    /// A pragma that is nearly one of ours.
    MISSPELT_PRAGMA = 121;
    /// An item or a parameter that cannot be saved.
    UNSAVABLE = 201;
    /// A call of a client function where no restart can go.
    CALL_PLACE = 202;
    /// Restart blocks in a region or scope that cannot be entered from outside.
    CLOSED_SCOPE = 203;
    /// An execute block that is left, or that contains another block.
    EXECUTE_CONTENT = 204;
    /// Text that has to change comes from a macro.
    MACRO_TEXT = 205;
    /// A function that cannot take part in a restart.
    NOT_A_CLIENT = 206;
    /// A pointer argument that leads to memory nobody restores.
    LOST_POINTER = 207;
    /// A pointer that `follow` cannot go through.
    CANNOT_FOLLOW = 208;
    /// `file` with something that is no descriptor.
    NO_DESCRIPTOR = 209;
    /// A program with `messages(counted)` that communicates in a way that is not counted.
    NOT_COUNTED = 210;
    /// A function that is neither in the files given nor in the catalogue.
    UNKNOWN_FUNCTION = 301;
    /// A live location that nothing restores.
    NOT_REGISTERED = 302;
    /// A register that nothing needs.
    REMOVABLE = 303;
    /// A block that reads what nothing has restored.
    BLOCK_READS = 304;
    /// What a library keeps and a restart does not restore.
    HIDDEN_STATE = 305;
    /// An item with more or fewer elements than its memory.
    WRONG_LENGTH = 306;
    /// What is done before `init` and outlives the process.
    LASTING = 307;
    /// A checkpoint in a function that other code calls.
    CALLED_BACK = 308;
    /// Something that has to hold, and cannot be checked.
    ASSUMED = 309;
    /// A file, a redirection or a stream of which nothing is left after a restart.
    PASSING_FILE = 311;
    /// A checkpoint that threads of a team may pass unequally often.
    OUT_OF_STEP = 312;
    /// A checkpoint at which tasks of OpenMP may be unfinished.
    UNFINISHED_TASKS = 313;
    /// Other threads read their copies of a variable after a checkpoint; a restart restores the initial thread's only.
    OTHER_THREADS = 315;
    /// A program without `shutdown` whose end the library does not see.
    UNKNOWN_END = 316;
    /// Checkpoints to which a rank never comes.
    ABSENT = 317;
    /// A block that reads what is changed before the checkpoint.
    BLOCK_READS_LATER = 318;
    /// Auto mode finds no place for where a run begins.
    AUTO_NO_PLACE = 401;
    /// Auto mode finds no loop for a checkpoint, or no safe point in it.
    AUTO_NO_CHECKPOINT = 402;
    /// Auto mode cannot bring something back.
    AUTO_NOT_SAVED = 403;
    /// A checkpoint that is not known to be safe with every number of ranks.
    AUTO_SOME_RANKS = 404;
    /// A checkpoint at which the library counts messages.
    AUTO_COUNTED = 405;
    /// A program to which auto mode gives a fixed heap.
    AUTO_FIXED_HEAP = 407;
}

/// The page of a code given as `CCCP107` or `107`, in any case.
pub fn explain(code: &str) -> Option<&'static str> {
    let upper = code.trim().to_ascii_uppercase();
    let number: u16 = upper.strip_prefix("CCCP").unwrap_or(&upper).parse().ok()?;
    PAGES
        .iter()
        .find(|(page, _)| page.0 == number)
        .map(|(_, text)| *text)
}
