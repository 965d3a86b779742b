//! A file as the user wrote it, as the preprocessor made it, and the map between the two.
//!
//! Texts are kept as `String`. A file that is not UTF-8 is read as Latin-1 and written back as Latin-1, so that every
//! byte the user wrote survives. The preprocessed text holds C and `#pragma` lines only: the preprocessor's own lines
//! are blanked.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::columns::{Columns, map_columns};
use super::expand::Expander;
use super::lexer::{TokenKind, tokens};
use super::lines::UserLines;
use super::markers::{Inclusion, LineOrigin, Macro, Markers, Pragma, read_markers};
use super::normalise::{Normalised, Note, NoteKind, normalise, with_room_for_types};
use super::position::{SourceRange, Span};
use super::preprocess::{PreprocessFailure, Preprocessor, preprocess, quoted, real_name, shifted};
use super::read::{decode, decode_as, encode};
use super::tag::{DirectiveLine, Tagged, tag};
use super::unmentioned::blank_unmentioned;
use memchr::memrchr2;

/// How the bytes of the user's file are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 (and so ASCII).
    #[default]
    Utf8,
    /// Every byte is a character.
    Latin1,
}

/// One of the user's files with its preprocessed text.
#[derive(Debug, Default)]
pub struct SourceFile {
    /// The path as the user gave it.
    pub path: String,
    /// How bytes became text.
    pub encoding: Encoding,
    /// The text as the user wrote it.
    pub original: String,
    /// What the preprocessor made of it.
    pub preprocessed: String,
    /// Offsets in `original` at which lines begin.
    pub line_starts: Vec<usize>,
    /// The lines `#pragma cccp …` of the user's file, those in branches of `#if` that are not taken too.
    pub directive_lines: Vec<DirectiveLine>,
    /// The lines `#pragma omp …` of the user's file, those too.
    openmp_lines: Vec<DirectiveLine>,
    /// Which line of the user's file each line of `original` is. They differ when lines were added.
    pub lines: UserLines,
    normalised: Normalised,
    pub(super) markers: Markers,
    columns: Columns,
    /// The files that mention words that somebody has asked for.
    mentions: Mutex<BTreeMap<String, BTreeSet<u32>>>,
}

/// A `#pragma cccp` that came out of the preprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivePragma {
    /// Where it stands in the preprocessed text.
    pub span: Span,
    /// Index into [`SourceFile::directive_lines`]; `None` when it comes from an included file or a macro.
    pub line: Option<usize>,
}

/// Why there is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadFailure {
    /// It cannot be read.
    Unreadable(String),
    /// The preprocessor failed.
    Preprocessor(PreprocessFailure),
}

impl SourceFile {
    /// Reads and preprocesses the file at `path`.
    pub fn load(path: &str, preprocessor: &Preprocessor) -> Result<SourceFile, LoadFailure> {
        let bytes =
            std::fs::read(path).map_err(|error| LoadFailure::Unreadable(error.to_string()))?;
        SourceFile::from_bytes(path, bytes, preprocessor).map_err(LoadFailure::Preprocessor)
    }

    /// The same for a text at hand; `path` says where it would lie.
    pub fn from_bytes(
        path: &str,
        bytes: Vec<u8>,
        preprocessor: &Preprocessor,
    ) -> Result<SourceFile, PreprocessFailure> {
        SourceFile::with_lines(path, bytes, UserLines::default(), preprocessor)
    }

    /// The same for a text to which lines were added. `__LINE__` is the user's line in it.
    pub fn with_lines(
        path: &str,
        bytes: Vec<u8>,
        lines: UserLines,
        preprocessor: &Preprocessor,
    ) -> Result<SourceFile, PreprocessFailure> {
        let (original, encoding) = decode(bytes);
        let mut tagged = tag(&original);
        if !lines.is_plain() {
            let named = |line: usize| real_name(lines.name(line).unwrap_or(path));
            let mark = |line: usize| {
                let own = lines.line(line);
                let mark = shifted(path, line, own.number);
                match lines.line(line.saturating_sub(1)).part == own.part {
                    true => mark,
                    false => format!("{}\n{mark}", named(line)),
                }
            };
            let marked = lines.marked(tagged.text.trim_start_matches('\u{feff}'), mark);
            tagged.text = format!("{}\n#line 1 {}\n{marked}", real_name(path), quoted(path));
        }
        let output = preprocess(preprocessor, path, &encode(&tagged.text, encoding))?;
        let mut file = SourceFile::assemble(path, original, encoding, tagged, output);
        file.lines = lines;
        if preprocessor.of(path).is_complete {
            file.markers.leave_out_openmp_that_is_off();
        }
        Ok(file)
    }

    /// The same with a preprocessor that is a function: from the tagged text to C text with line markers.
    pub fn with_preprocessor(
        path: &str,
        bytes: Vec<u8>,
        preprocess: impl FnOnce(&[u8]) -> Vec<u8>,
    ) -> SourceFile {
        let (original, encoding) = decode(bytes);
        let tagged = tag(&original);
        let output = preprocess(&encode(&tagged.text, encoding));
        SourceFile::assemble(path, original, encoding, tagged, output)
    }

    fn assemble(
        path: &str,
        original: String,
        encoding: Encoding,
        tagged: Tagged,
        output: Vec<u8>,
    ) -> SourceFile {
        let mut preprocessed = with_room_for_types(decode_as(output, encoding));
        let markers = read_markers(&mut preprocessed, path);
        let mut line_starts = vec![0];
        line_starts.extend(
            original
                .bytes()
                .enumerate()
                .filter(|(_, byte)| *byte == b'\n')
                .map(|(at, _)| at + 1),
        );
        let columns = map_columns(&original, &preprocessed, &markers, &line_starts);
        let mut normalised = normalise(&preprocessed);
        let directive_lines = tagged.directives;
        let directives: Vec<&str> = directive_lines
            .iter()
            .map(|line| &original[line.body.start..line.body.end])
            .collect();
        blank_unmentioned(&mut normalised.text, &preprocessed, &markers, &directives);
        SourceFile {
            path: path.to_string(),
            encoding,
            original,
            preprocessed,
            line_starts,
            directive_lines,
            openmp_lines: tagged.openmp,
            lines: UserLines::default(),
            normalised,
            markers,
            columns,
            mentions: Mutex::default(),
        }
    }

    /// A slice of the user's own text.
    pub fn original_text(&self, range: SourceRange) -> &str {
        self.original.get(range.start..range.end).unwrap_or("")
    }

    /// A slice of the preprocessed text. It may contain newlines and `#pragma` lines.
    pub fn preprocessed_text(&self, span: Span) -> &str {
        self.preprocessed.get(span.start..span.end).unwrap_or("")
    }

    /// A slice of the preprocessed text on one line, tokens separated as they were. `None` when a pragma stands in it.
    pub fn one_line(&self, span: Span) -> Option<String> {
        let text = self.preprocessed_text(span);
        let mut line = String::with_capacity(text.len());
        let mut end = 0;
        for token in tokens(text.as_bytes()) {
            if token.kind == TokenKind::Directive {
                return None;
            }
            if token.start > end && end > 0 {
                line.push(' ');
            }
            line.push_str(text.get(token.start..token.end)?);
            end = token.end;
        }
        Some(line)
    }

    /// The text for the parser, as long as the preprocessed text.
    pub fn normalised_text(&self) -> &str {
        &self.normalised.text
    }

    /// The notes of a kind between two offsets.
    pub fn has_note(&self, from: usize, to: usize, kind: NoteKind) -> bool {
        self.notes(from, to).iter().any(|note| note.kind == kind)
    }

    /// What the normalised text does not show between two offsets.
    pub fn notes(&self, from: usize, to: usize) -> &[Note] {
        let notes = &self.normalised.notes;
        let first = notes.partition_point(|note| note.offset < from);
        let last = notes.partition_point(|note| note.offset < to);
        &notes[first..last.max(first)]
    }

    /// The range without white space at its ends (parsers' ranges tend to have some).
    pub fn trimmed(&self, start: usize, end: usize) -> Span {
        let bytes = self.normalised.text.as_bytes();
        let (mut start, mut end) = (start, end.min(bytes.len()));
        while end > start && bytes[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        while start < end && bytes[start].is_ascii_whitespace() {
            start += 1;
        }
        Span::new(start, end)
    }

    /// The offset after the last token before `offset`.
    pub fn end_of_previous_token(&self, offset: usize) -> usize {
        let bytes = self.normalised.text.as_bytes();
        let mut end = offset.min(bytes.len());
        while end > 0 && bytes[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        end
    }

    /// The offset after what stands before the declaration or statement at `offset`, attributes in front of it not
    /// counted. What was blanked counts.
    pub fn end_of_previous_declaration(&self, offset: usize) -> usize {
        let known = self.end_of_previous_token(offset);
        let between = &self.preprocessed.as_bytes()[known..offset.max(known)];
        known + memrchr2(b';', b'}', between).map_or(0, |at| at + 1)
    }

    /// The range of the user's file that made exactly the bytes of `span`. A macro invocation may lie inside, or make
    /// up an end, but as a whole only.
    pub fn place(&self, span: Span) -> Option<SourceRange> {
        self.columns.place(span).map(|(range, _)| range)
    }

    /// Whether some token of the span comes from a macro, or from where cannot be told.
    pub fn touched_by_macro(&self, span: Span) -> bool {
        self.columns
            .place(span)
            .is_none_or(|(_, expanded)| expanded)
    }

    /// Where the line around an offset of the preprocessed text comes from.
    pub fn origin(&self, offset: usize) -> Option<LineOrigin> {
        self.markers.origin(offset)
    }

    /// Whether a text is the name of a file, as the preprocessor writes it.
    pub fn is_name_of_file(&self, text: &str) -> bool {
        self.path == text || self.markers.files.iter().any(|name| name == text)
    }

    /// File and line of an offset of the preprocessed text. Files are named as seen from where we are, not from the
    /// directory in which the preprocessor ran.
    pub fn origin_text(&self, offset: usize) -> (String, usize) {
        let Some(origin) = self.origin(offset) else {
            return (self.path.clone(), 1);
        };
        let name = self
            .markers
            .files
            .get(origin.file as usize)
            .cloned()
            .unwrap_or_default();
        let line = origin.line as usize;
        match origin.own {
            true => (self.name_of_line(line).to_string(), self.lines.of(line)),
            false => (self.seen(&name), line),
        }
    }

    /// The files that lines of this one include, in the order of the text.
    pub fn inclusions(&self) -> &[Inclusion] {
        &self.markers.inclusions
    }

    /// The text as the user wrote it, without what was taken in from included files.
    pub fn as_written(&self) -> Cow<'_, str> {
        match self.lines.parts().is_empty() {
            true => Cow::Borrowed(&self.original),
            false => Cow::Owned(self.lines.alone(&self.original, 0).0),
        }
    }

    /// The name of the file that an offset of `original` is from: this one, or one that was taken in.
    pub fn name_at(&self, offset: usize) -> &str {
        self.name_of_line(self.physical_line_of(offset))
    }

    fn name_of_line(&self, line: usize) -> &str {
        self.lines.name(line).unwrap_or(&self.path)
    }

    /// A file's name as the preprocessor writes it, as the compiler would write it when it is called from where we are.
    pub fn seen_from_here(&self, name: &str) -> String {
        let seen = self.seen(name);
        if Path::new(&self.path).is_absolute() {
            return seen;
        }
        // Where it is searched for was made absolute for the preprocessor.
        let here = std::env::current_dir().unwrap_or_default();
        let below = Path::new(&seen).strip_prefix(here).ok();
        below.map_or(seen.clone(), |path| path.to_string_lossy().into_owned())
    }

    /// A file's name as the preprocessor writes it, from where we are.
    fn seen(&self, name: &str) -> String {
        let directory = Path::new(&self.path).parent().unwrap_or(Path::new(""));
        match name == self.path {
            true => name.to_string(),
            false => plain_path(&directory.join(name)),
        }
    }

    /// The files that this one includes, with or without headers of the system.
    pub fn included(&self, with_system: bool) -> Vec<String> {
        let names = self.markers.files.iter().zip(0..);
        let names = names.filter(|(name, at)| {
            *name != &self.path
                && !name.is_empty()
                && !name.starts_with('<')
                && (with_system || !self.markers.system.contains(at))
        });
        let parts = self.lines.parts().iter().map(|part| part.name.clone());
        let mut all: Vec<String> = parts
            .chain(names.map(|(name, _)| self.seen(name)))
            .collect();
        let mut known = BTreeSet::new();
        all.retain(|name| known.insert(name.clone()));
        all
    }

    /// Whether an offset of the preprocessed text lies in the user's own file or in a header of the program: one that is
    /// included by a relative path or lies beside or below the file. A header that was taken in is what it was before.
    pub fn is_of_program(&self, offset: usize) -> bool {
        let Some(origin) = self.origin(offset) else {
            return true;
        };
        match origin.own {
            true => !self.lines.is_foreign(origin.line as usize),
            false => {
                let name = &self.markers.files[origin.file as usize];
                !self.is_system(offset) && self.lies_with(name)
            }
        }
    }

    /// Whether the name of an included file, as the preprocessor writes it, says that it belongs to the program.
    pub(super) fn lies_with(&self, name: &str) -> bool {
        let name = Path::new(name);
        let directory = Path::new(&self.path).parent();
        // Every name starts with an empty one.
        let directory = directory.filter(|directory| !directory.as_os_str().is_empty());
        name.is_relative() || directory.is_some_and(|directory| name.starts_with(directory))
    }

    /// Whether an offset of the preprocessed text lies in a header of the system.
    pub fn is_system(&self, offset: usize) -> bool {
        let origin = self.origin(offset);
        origin.is_some_and(|origin| self.markers.system.contains(&origin.file))
    }

    /// Whether the header around an offset of the preprocessed text has a piece of text anywhere in it.
    pub fn header_mentions(&self, offset: usize, word: &str) -> bool {
        let origin = self.origin(offset).filter(|origin| !origin.own);
        let Some(header) = origin.map(|origin| origin.file) else {
            return false;
        };
        let mut mentions = self.mentions.lock().unwrap_or_else(PoisonError::into_inner);
        let files = mentions.entry(word.to_string()).or_insert_with(|| {
            let found = self.preprocessed.match_indices(word);
            found
                .filter_map(|(at, _)| self.origin(at).map(|origin| origin.file))
                .collect()
        });
        files.contains(&header)
    }

    /// The headers of MPI, as origins of lines name them: they need not be headers of the system.
    pub fn headers_of_mpi(&self) -> BTreeSet<u32> {
        let mentions = self.preprocessed.match_indices("MPI_Init");
        let places = mentions.filter(|(at, _)| !self.is_own(*at) && !self.is_of_program(*at));
        places
            .filter_map(|(at, _)| self.origin(at).map(|origin| origin.file))
            .collect()
    }

    /// Whether an offset of the preprocessed text lies on a line of the user's own file.
    pub fn is_own(&self, offset: usize) -> bool {
        self.origin(offset).is_some_and(|origin| origin.own)
    }

    /// The best place in the user's file for a message about a span: exact, or the line.
    pub fn message_place(&self, span: Span) -> Option<SourceRange> {
        if let Some(range) = self.place(span) {
            return Some(range);
        }
        let origin = self.origin(span.start).filter(|origin| origin.own)?;
        self.line_range(origin.line as usize)
    }

    /// A line of the user's file without leading white space and line end.
    pub fn line_range(&self, line: usize) -> Option<SourceRange> {
        let start = *self.line_starts.get(line.checked_sub(1)?)?;
        let end = self
            .line_starts
            .get(line)
            .map_or(self.original.len(), |next| next - 1);
        let text = &self.original[start..end];
        let begin = start + (text.len() - text.trim_start().len());
        Some(SourceRange::new(
            begin,
            (start + text.trim_end().len()).max(begin),
        ))
    }

    /// The definition of a macro as of an offset of the preprocessed text.
    pub fn macro_at(&self, name: &str, offset: usize) -> Option<&Macro> {
        self.markers.macro_at(name, offset)
    }

    /// What a text with macros becomes at an offset of the preprocessed text. `None` without macros, when they are not
    /// simple, or when they stand for themselves: `#define size size`.
    pub fn expanded(&self, text: &str, offset: usize) -> Option<String> {
        let bytes = text.as_bytes();
        let words: Vec<&[u8]> = tokens(bytes).iter().map(|one| one.text(bytes)).collect();
        let is_macro =
            |word: &&[u8]| std::str::from_utf8(word).is_ok_and(|word| self.is_macro(word, offset));
        if !words.iter().any(is_macro) {
            return None;
        }
        let parts = Expander::new(&self.markers).expand(&words, offset)?;
        if parts == words {
            return None;
        }
        String::from_utf8(parts.join(&b' ')).ok()
    }

    /// Whether a name is a macro at an offset of the preprocessed text.
    pub fn is_macro(&self, name: &str, offset: usize) -> bool {
        self.markers.is_macro(name, offset)
    }

    /// Whether a word stands in the file, or in what a macro stands for.
    pub fn mentions_in_macros(&self, word: &str) -> bool {
        let all = self.markers.macros.values().flatten();
        let mut bodies = all.filter_map(|(_, one)| one.as_ref());
        self.original.contains(word) || bodies.any(|one| one.body.contains(word))
    }

    /// Where a file of the program makes a name a macro, or takes its macro away.
    pub fn own_macro(&self, name: &str) -> Option<usize> {
        let history = self.markers.macros.get(name)?;
        let mut places = history.iter().map(|(at, _)| *at);
        places.find(|&at| !self.is_system(at))
    }

    /// Whether a name is a macro before the first line of the file: the command line says so, a file that the compiler reads first, or
    /// the compiler itself.
    pub fn is_macro_before(&self, name: &str) -> bool {
        let history = self.markers.macros.get(name);
        let is_within = |at| { self.inclusions().iter() }.any(|one| one.span.has(at));
        history.is_some_and(|history| {
            let mut places = history.iter().filter(|(_, one)| one.is_some());
            places.any(|&(at, _)| !self.is_own(at) && !is_within(at))
        })
    }

    /// All pragmas in the preprocessed text.
    pub fn pragmas(&self) -> &[Pragma] {
        &self.markers.pragmas
    }

    /// The `#pragma cccp` lines that came out of the preprocessor.
    pub fn active_pragmas(&self) -> Vec<ActivePragma> {
        let mut active = Vec::new();
        for pragma in &self.markers.pragmas {
            let Some(rest) = pragma.text.strip_prefix("cccp") else {
                continue;
            };
            if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let tag = rest
                .trim_start()
                .strip_prefix('@')
                .and_then(|rest| rest.split_once('@'));
            let number: Option<usize> = tag.and_then(|(number, _)| number.trim().parse().ok());
            let line = number.and_then(|number| {
                self.directive_lines
                    .iter()
                    .position(|line| line.line == number)
            });
            active.push(ActivePragma {
                span: Span::new(pragma.offset, pragma.end),
                line,
            });
        }
        active
    }

    /// All lines of the user's file that make the pragma of OpenMP at an offset of the preprocessed text; none when it comes
    /// from a macro or an included file.
    pub fn openmp_place(&self, offset: usize) -> Option<SourceRange> {
        let origin = self.origin(offset).filter(|origin| origin.own)?;
        let line = origin.line as usize;
        let found = self
            .openmp_lines
            .binary_search_by_key(&line, |one| one.line);
        Some(self.openmp_lines[found.ok()?].lines)
    }

    /// Where the line begins that consists of the macro from which what stands at an offset of the preprocessed text comes, but for a brace
    /// behind it.
    pub fn line_of_macro(&self, offset: usize) -> Option<usize> {
        let origin = self.origin(offset).filter(|origin| origin.own)?;
        let range = self.line_range(origin.line as usize)?;
        let line = self.original[range.start..range.end].trim_end_matches('{');
        let word = line
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()?;
        let is_alone = self.is_macro(word, offset) && !line.contains([';', '{', '}']);
        is_alone.then_some(range.start)
    }

    /// Line (from 1) of an offset in the user's own file.
    pub fn line_of(&self, offset: usize) -> usize {
        self.lines.of(self.physical_line_of(offset))
    }

    /// Whether an offset in the user's own file is on a line that was added.
    pub fn is_added(&self, offset: usize) -> bool {
        self.lines.line(self.physical_line_of(offset)).is_added
    }

    /// Line (from 1) of an offset in `original`.
    fn physical_line_of(&self, offset: usize) -> usize {
        self.line_starts
            .partition_point(|&start| start <= offset)
            .max(1)
    }

    /// Line and column (from 1, in characters) of an offset in the user's own file.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let line = self.physical_line_of(offset);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let column = self
            .original
            .get(start..offset)
            .map_or(1, |text| text.chars().count() + 1);
        (self.lines.of(line), column)
    }

    /// A text in the encoding of the user's file.
    pub fn encode(&self, text: &str) -> Vec<u8> {
        encode(text, self.encoding)
    }
}

/// The path without `./`.
fn plain_path(path: &Path) -> String {
    let components = path.components().filter(|part| *part != Component::CurDir);
    components
        .collect::<PathBuf>()
        .to_string_lossy()
        .into_owned()
}
