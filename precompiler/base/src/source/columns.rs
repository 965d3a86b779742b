//! Which bytes of the user's file made which bytes of the preprocessed text.
//!
//! The user's tokens and the preprocessed ones are walked side by side, chunk by chunk (a chunk ends at every
//! preprocessor line). Equal tokens that are no macros are paired. Where the user wrote a macro invocation, its
//! expansion is found by expanding simple macros ourselves or, failing that, by the tokens that follow; when that is
//! ambiguous, the rest of the line stays unmapped. So a pair is either right or absent.

use super::expand::{Expander, is_like};
use super::lexer::{Token, TokenKind, plain_name, tokens};
use super::markers::Markers;
use super::position::{SourceRange, Span};

/// A token, or a whole macro invocation and its expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// In the preprocessed text.
    pub span: Span,
    /// In the user's file.
    pub range: SourceRange,
    /// It is a macro invocation.
    pub expanded: bool,
    /// Something between the pair before and this one could not be mapped.
    pub after_gap: bool,
    /// How many pairs up to this one come after a gap.
    gaps: usize,
    /// How many pairs up to this one are macro invocations.
    invocations: usize,
}

/// All pairs, in the order of both texts.
#[derive(Debug, Default)]
pub struct Columns {
    /// The pairs.
    pub pairs: Vec<Pair>,
}

impl Columns {
    /// The range of the user's file that made exactly the bytes of `span`, and whether a macro took part.
    pub fn place(&self, span: Span) -> Option<(SourceRange, bool)> {
        let first = self
            .pairs
            .binary_search_by_key(&span.start, |pair| pair.span.start)
            .ok()?;
        let last = self
            .pairs
            .partition_point(|pair| pair.span.end <= span.end)
            .checked_sub(1)?;
        let (begin, end) = (self.pairs[first], self.pairs[last]);
        if end.span.end != span.end || last < first {
            return None;
        }
        if begin.gaps != end.gaps || begin.range.start > end.range.end {
            return None;
        }
        let expanded = end.invocations > begin.invocations - usize::from(begin.expanded);
        Some((SourceRange::new(begin.range.start, end.range.end), expanded))
    }
}

struct Walk<'a> {
    user: &'a [u8],
    text: &'a [u8],
    markers: &'a Markers,
    expander: Expander<'a>,
    pairs: Vec<Pair>,
    gap: bool,
}

/// A user's token with its line.
type UserToken = (Token, u32);

/// Pairs the tokens of the user's file with those of the preprocessed text.
pub fn map_columns(
    original: &str,
    preprocessed: &str,
    markers: &Markers,
    line_starts: &[usize],
) -> Columns {
    let user = original.as_bytes();
    let text = preprocessed.as_bytes();
    let produced = produced_tokens(text, markers);
    let mut walk = Walk {
        user,
        text,
        markers,
        expander: Expander::new(markers),
        pairs: Vec::with_capacity(produced.len()),
        gap: false,
    };
    let mut chunk: Vec<UserToken> = Vec::new();
    let mut from = 0;
    let mut line = 0usize;
    let all = tokens(user);
    for (index, token) in all.iter().enumerate() {
        while line < line_starts.len() && line_starts[line] <= token.start {
            line += 1;
        }
        let number = u32::try_from(line).unwrap_or(u32::MAX);
        if token.kind != TokenKind::Directive {
            chunk.push((*token, number));
        }
        if token.kind == TokenKind::Directive || index + 1 == all.len() {
            let limit = if token.kind == TokenKind::Directive {
                number
            } else {
                u32::MAX
            };
            from = walk.chunk(&chunk, &produced, from, limit);
            chunk.clear();
        }
    }
    Columns { pairs: walk.pairs }
}

/// The tokens of the preprocessed text that come from the user's own lines.
fn produced_tokens(text: &[u8], markers: &Markers) -> Vec<UserToken> {
    let mut produced = Vec::new();
    let mut index = 0;
    while index < markers.lines.len() {
        if !markers.lines[index].own {
            index += 1;
            continue;
        }
        let first = index;
        while index < markers.lines.len() && markers.lines[index].own {
            index += 1;
        }
        let start = markers.lines[first].start;
        let end = markers
            .lines
            .get(index)
            .map_or(text.len(), |line| line.start);
        let mut line = first;
        for mut token in tokens(&text[start..end]) {
            token.start += start;
            token.end += start;
            while line + 1 < index && markers.lines[line + 1].start <= token.start {
                line += 1;
            }
            if token.kind != TokenKind::Directive {
                produced.push((token, markers.lines[line].line));
            }
        }
    }
    produced
}

impl Walk<'_> {
    /// Maps a chunk of the user's tokens; `from` is the first produced token not yet used, `limit` the line at which
    /// the chunk ends. Returns the first produced token after it.
    fn chunk(
        &mut self,
        chunk: &[UserToken],
        produced: &[UserToken],
        from: usize,
        limit: u32,
    ) -> usize {
        let mut end = from;
        while end < produced.len() && produced[end].1 < limit {
            end += 1;
        }
        let Some(&(_, first_line)) = chunk.first() else {
            self.gap |= end > from;
            return end;
        };
        let mut at = from;
        while at < end && produced[at].1 < first_line {
            at += 1;
        }
        self.gap |= at > from;
        // Nothing came out: the chunk lies in a branch of `#if` that is not taken (or expands to nothing).
        if at == end {
            return end;
        }
        let (mut user, mut made) = (0, at);
        while user < chunk.len() || made < end {
            match self.run(chunk, &produced[..end], user, made) {
                Ok(()) => return end,
                Err(stuck) => {
                    self.gap = true;
                    match resume_point(chunk, &produced[..end], stuck) {
                        Some(next) => (user, made) = next,
                        None => return end,
                    }
                }
            }
        }
        end
    }

    /// Walks on from a pair of positions. `Err` holds the positions at which it lost its way.
    fn run(
        &mut self,
        chunk: &[UserToken],
        produced: &[UserToken],
        mut user: usize,
        mut made: usize,
    ) -> Result<(), (usize, usize)> {
        while user < chunk.len() {
            let stuck = (user, made);
            let after = self
                .invocation(chunk, user, self.offset(produced, made))
                .ok_or(stuck)?;
            if after == user {
                if made >= produced.len() || !self.equal(chunk[user].0, produced[made].0) {
                    return Err(stuck);
                }
                self.pair(chunk, user, user, produced, made, made + 1, false);
                user += 1;
                made += 1;
                continue;
            }
            let end = self
                .expansion_end(chunk, produced, user, after, made)
                .ok_or(stuck)?;
            if end > made {
                self.pair(chunk, user, after - 1, produced, made, end, true);
            }
            user = after;
            made = end;
        }
        if made == produced.len() {
            Ok(())
        } else {
            Err((user, made))
        }
    }

    fn offset(&self, produced: &[UserToken], made: usize) -> usize {
        produced
            .get(made)
            .or(produced.last())
            .map_or(0, |(token, _)| token.start)
    }

    fn equal(&self, user: Token, made: Token) -> bool {
        let (user, made) = (user.text(self.user), made.text(self.text));
        user == made || same_name(user, made)
    }

    #[expect(clippy::too_many_arguments, reason = "two ranges in two token lists")]
    fn pair(
        &mut self,
        chunk: &[UserToken],
        first: usize,
        last: usize,
        produced: &[UserToken],
        made: usize,
        end: usize,
        expanded: bool,
    ) {
        let after_gap = std::mem::take(&mut self.gap);
        let (gaps, invocations) = self
            .pairs
            .last()
            .map_or((0, 0), |pair| (pair.gaps, pair.invocations));
        self.pairs.push(Pair {
            span: Span::new(produced[made].0.start, produced[end - 1].0.end),
            range: SourceRange::new(chunk[first].0.start, chunk[last].0.end),
            expanded,
            after_gap,
            gaps: gaps + usize::from(after_gap),
            invocations: invocations + usize::from(expanded),
        });
    }

    /// The token after the macro invocation at `user`; `user` itself when it is none; `None` when its parentheses do
    /// not close in this chunk.
    fn invocation(&self, chunk: &[UserToken], user: usize, offset: usize) -> Option<usize> {
        let token = chunk[user].0;
        if token.kind != TokenKind::Word {
            return Some(user);
        }
        let Ok(name) = std::str::from_utf8(token.text(self.user)) else {
            return Some(user);
        };
        if !self.markers.is_macro(name, offset) {
            return Some(user);
        }
        let takes_arguments = name == "_Pragma"
            || self
                .markers
                .macro_at(name, offset)
                .is_some_and(|found| found.parameters.is_some());
        let opens = |at: usize| {
            chunk
                .get(at)
                .is_some_and(|(token, _)| token.text(self.user) == b"(")
        };
        if takes_arguments && !opens(user + 1) {
            return Some(user);
        }
        if takes_arguments {
            self.after_parentheses(chunk, user + 1)
        } else {
            Some(user + 1)
        }
    }

    fn after_parentheses(&self, chunk: &[UserToken], open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (at, (token, _)) in chunk.iter().enumerate().skip(open) {
            match token.text(self.user) {
                b"(" => depth += 1,
                b")" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Where in `produced` the expansion of the invocation `user..after` ends, if that is certain.
    fn expansion_end(
        &mut self,
        chunk: &[UserToken],
        produced: &[UserToken],
        user: usize,
        after: usize,
        made: usize,
    ) -> Option<usize> {
        if chunk[user].0.text(self.user) == b"_Pragma" {
            // What it makes is a line of the preprocessor, which is no token.
            return Some(made);
        }
        let offset = self.offset(produced, made);
        let written: Vec<&[u8]> = chunk[user..after]
            .iter()
            .map(|(token, _)| token.text(self.user))
            .collect();
        if let Some(expansion) = self.expander.expand(&written, offset) {
            let end = made + expansion.len();
            let same = end <= produced.len()
                && produced[made..end]
                    .iter()
                    .zip(&expansion)
                    .all(|((token, _), text)| is_like(token.text(self.text), text));
            if same {
                return Some(end);
            }
        }
        self.unique_continuation(chunk, produced, after, made)
    }

    /// The only place from `made` on where the tokens after the invocation continue.
    fn unique_continuation(
        &self,
        chunk: &[UserToken],
        produced: &[UserToken],
        after: usize,
        made: usize,
    ) -> Option<usize> {
        let mut run = after;
        while run < chunk.len() && run < after + 40 {
            match self.invocation(chunk, run, self.offset(produced, made)) {
                Some(next) if next == run => run += 1,
                _ => break,
            }
        }
        if run == after {
            return if after == chunk.len() {
                Some(produced.len())
            } else {
                None
            };
        }
        let literal = &chunk[after..run];
        let at_end = run == chunk.len();
        let line = literal[0].1;
        let mut found = None;
        for start in made..produced.len() {
            if produced[start].1 > line {
                break;
            }
            let end = start + literal.len();
            if end > produced.len() || (at_end && end != produced.len()) {
                continue;
            }
            let same = literal
                .iter()
                .zip(&produced[start..end])
                .all(|((user, _), (token, _))| self.equal(*user, *token));
            // What follows on a later line must come out on a later line.
            let breaks = at_end
                || chunk[run].1 == chunk[run - 1].1
                || produced
                    .get(end)
                    .is_none_or(|next| next.1 > produced[end - 1].1);
            if same && breaks {
                if found.is_some() {
                    return None;
                }
                found = Some(start);
            }
        }
        found
    }
}

/// The next line that begins with the same token on both sides.
fn resume_point(
    chunk: &[UserToken],
    produced: &[UserToken],
    stuck: (usize, usize),
) -> Option<(usize, usize)> {
    let (user, made) = stuck;
    let mut line = chunk.get(user)?.1;
    loop {
        let next = chunk[user..].iter().position(|(_, at)| *at > line)? + user;
        line = chunk[next].1;
        let found = produced[made..].iter().position(|(_, at)| *at >= line)? + made;
        // A line in the middle of an invocation has no line of its own in the output.
        if produced[found].1 == line && found > 0 && next > user {
            return Some((next, found));
        }
    }
}

/// Whether two tokens are spelt differently but mean the same.
fn same_name(user: &[u8], made: &[u8]) -> bool {
    let plain = |text| std::str::from_utf8(text).ok().map(plain_name);
    (user.contains(&b'\\') || made.contains(&b'\\')) && plain(user) == plain(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    /// What the user wrote for a piece of the preprocessed text.
    #[track_caller]
    fn check(original: &str, preprocessed: &str, piece: &str, written: Option<&str>) {
        let output = preprocessed.as_bytes().to_vec();
        let file = SourceFile::with_preprocessor("a.c", original.as_bytes().to_vec(), |_| output);
        let start = file.preprocessed.find(piece).expect("the piece is there");
        let place = file.place(Span::new(start, start + piece.len()));
        assert_eq!(
            place.map(|place| file.original_text(place)),
            written,
            "{piece}"
        );
    }

    #[test]
    fn s03_a_place_is_certain_or_unknown() {
        // Two invocations in a line; what they become is not computed (`##` before any number of arguments), and `;` ends both.
        let original =
            "#define P(x...) 1, ## x; x;\nint f(void) { P(a); P(b); }\nint g(void) { return 1; }\n";
        let made = "# 1 \"a.c\"\n#define P(x...) 1, ## x; x;\nint f(void) { 1, a; a;; 1, b; b;; }\nint g(void) { return 1; }\n";
        check(original, made, "int f(void) {", Some("int f(void) {"));
        check(original, made, "1, a; a;;", None);
        check(original, made, "1, b; b;;", None);
        check(original, made, "return 1;", Some("return 1;"));
        // Texts and names that macros make: what the preprocessor would write is compared with what it has written.
        let original = "#define J(a, b) a##_##b\n#define M(n, t) t J(n, x) = #t \"n\" J(,n); t b##n;\n\
                        M(one, struct s *) M(two, int) M(,int)\nint c;\n";
        let made = "# 1 \"a.c\"\n#define J(a, b) a##_##b\n#define M(n, t) t J(n, x) = #t \"n\" J(,n); t b##n;\n\
                    struct s * one_x = \"struct s *\" \"n\" _one; struct s * bone; \
                    int two_x = \"int\" \"n\" _two; int btwo; int _x = \"int\" \"n\" _; int b;\nint c;\n";
        let first = "struct s * one_x = \"struct s *\" \"n\" _one; struct s * bone;";
        check(original, made, first, Some("M(one, struct s *)"));
        let second = "int two_x = \"int\" \"n\" _two; int btwo;";
        check(original, made, second, Some("M(two, int)"));
        let last = "int _x = \"int\" \"n\" _; int b;";
        check(original, made, last, Some("M(,int)"));
        check(original, made, "struct s * bone;", None);
        // A macro that begins with its own name is no plain token.
        let original = "#define a a + 1\nint x = a;\n";
        let made = "# 1 \"a.c\"\n#define a a + 1\nint x = a + 1;\n";
        check(original, made, "a + 1", Some("a"));
        check(original, made, "x = a", None);
        // Pragmas of macros make no tokens, one behind the other.
        let original = "#define D(x) _Pragma(#x)\n#define P D(omp parallel)\n#define M D(omp master)\nvoid f(void) {\nP\nM\n{ g(); }\n}\n";
        let made = "# 1 \"a.c\"\n#define D(x) _Pragma(#x)\n#define P D(omp parallel)\n#define M D(omp master)\nvoid f(void) {\n\n\
                    # 5 \"a.c\"\n#pragma omp parallel\n\n# 6 \"a.c\"\n#pragma omp master\n\n# 7 \"a.c\"\n{ g(); }\n}\n";
        check(original, made, "{ g(); }", Some("{ g(); }"));
        let output = made.as_bytes().to_vec();
        let file = SourceFile::with_preprocessor("a.c", original.as_bytes().to_vec(), |_| output);
        let text = &file.preprocessed;
        let (start, end) = (text.find("f(void)"), text.rfind('}'));
        let whole = Span::new(start.expect("a function"), end.expect("its end") + 1);
        let place = file.place(whole).map(|place| file.original_text(place));
        assert_eq!(place, Some("f(void) {\nP\nM\n{ g(); }\n}"));
    }
}
