//! Something to tell the user, before it becomes a diagnostic.

use crate::diagnostic::Code;
use crate::source::{SourceRange, Span};

/// What is wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its code, which names its page.
    pub code: Code,
    /// Where in the user's file.
    pub place: Option<SourceRange>,
    /// Where in the preprocessed text, when the place is not known.
    pub span: Option<Span>,
    /// One sentence.
    pub message: String,
    /// Under the caret.
    pub label: String,
    /// Why.
    pub reason: String,
    /// What to write instead.
    pub help: String,
    /// Lines to put into a file.
    pub paste: Option<String>,
    /// The program is compiled all the same.
    pub warning: bool,
}

impl Finding {
    /// An error with a code and a sentence.
    pub fn error(code: Code, message: impl Into<String>) -> Finding {
        Finding {
            code,
            place: None,
            span: None,
            message: message.into(),
            label: String::new(),
            reason: String::new(),
            help: String::new(),
            paste: None,
            warning: false,
        }
    }

    /// A warning.
    pub fn warning(code: Code, message: impl Into<String>) -> Finding {
        Finding {
            warning: true,
            ..Finding::error(code, message)
        }
    }

    /// Where it is.
    pub fn at(mut self, place: Option<SourceRange>, span: Span) -> Finding {
        self.place = place;
        self.span = Some(span);
        self
    }

    /// What stands under the caret.
    pub fn label(mut self, text: impl Into<String>) -> Finding {
        self.label = text.into();
        self
    }

    /// Why it is wrong.
    pub fn reason(mut self, text: impl Into<String>) -> Finding {
        self.reason = text.into();
        self
    }

    /// Lines to put into a file.
    pub fn paste(mut self, text: impl Into<String>) -> Finding {
        self.paste = Some(text.into());
        self
    }

    /// What to do.
    pub fn help(mut self, text: impl Into<String>) -> Finding {
        self.help = text.into();
        self
    }
}
