//! What is submitted: the options of the script, a line for this tool, and the script.

/// The line behind which the script stands.
const MARK: &[u8] = b"#cccp-run: the script\n";

/// The script with a beginning of ours. `tool` is what the shell runs; it gets the path of the whole, and the arguments.
pub fn wrapped(script: &[u8], tool: &str) -> Vec<u8> {
    let mut whole = b"#!/bin/sh\n".to_vec();
    for line in header(script).into_iter().skip(1) {
        whole.extend_from_slice(line);
    }
    whole.extend_from_slice(format!("exec {tool} \"$0\" -- \"$@\"\n").as_bytes());
    whole.extend_from_slice(MARK);
    whole.extend_from_slice(script);
    whole
}

/// The script again.
pub fn unwrapped(whole: &[u8]) -> Option<&[u8]> {
    let at = whole.windows(MARK.len()).position(|part| part == MARK)?;
    Some(&whole[at + MARK.len()..])
}

/// The lines at the beginning of a script in which Slurm looks for options: up to the first command.
fn header(script: &[u8]) -> Vec<&[u8]> {
    let lines = script.split_inclusive(|byte| *byte == b'\n');
    let is_comment = |line: &&[u8]| {
        let line = line.trim_ascii();
        line.is_empty() || line.starts_with(b"#")
    };
    // The last line may lack its end.
    let is_whole = |line: &&[u8]| line.ends_with(b"\n");
    lines.take_while(is_comment).filter(is_whole).collect()
}

/// Whether the options in a script say this.
pub fn says(script: &[u8], option: &str) -> bool {
    let (long, joined) = (format!("--{option}"), format!("--{option}="));
    header(script).into_iter().any(|line| {
        let line = String::from_utf8_lossy(line);
        let Some(options) = line.strip_prefix("#SBATCH") else {
            return false;
        };
        let options = options.split(" #").next().unwrap_or_default();
        let mut words = options.split_whitespace();
        words.any(|word| word == long || word.starts_with(&joined))
    })
}

/// The interpreter of a script, and what its first line gives it.
pub fn interpreter(script: &[u8]) -> Option<Vec<String>> {
    let first = script.strip_prefix(b"#!")?;
    let end = first.iter().position(|byte| *byte == b'\n')?;
    let line = String::from_utf8_lossy(&first[..end]);
    // The system hands over all behind the first word as one.
    let mut words = line.trim().splitn(2, char::is_whitespace);
    let words = words.by_ref().map(|word| word.trim().to_string());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then_some(words)
}

/// A word that a shell takes as it is.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &[u8] =
        b"#!/bin/bash -l\n#SBATCH --time=5 # --signal=X\n\n  # words\n#SBATCH --array 1-4\nsrun x\n#SBATCH --signal=USR1@9\n";

    #[test]
    fn a_script_comes_back_as_it_was() {
        let whole = wrapped(SCRIPT, "'/a b/cccp-run' --slurm-job");
        assert_eq!(unwrapped(&whole), Some(SCRIPT));
        let text = String::from_utf8_lossy(&whole);
        let begin = "#!/bin/sh\n#SBATCH --time=5 # --signal=X\n\n  # words\n#SBATCH --array 1-4\nexec '/a b/cccp-run'";
        assert!(text.starts_with(begin), "{text}");
        let twice = wrapped(&whole, "tool");
        assert_eq!(unwrapped(&twice), Some(&whole[..]));
    }

    #[test]
    fn what_slurm_would_see_of_the_options_is_seen() {
        assert!(says(SCRIPT, "time") && says(SCRIPT, "array"));
        assert!(!says(SCRIPT, "signal") && !says(SCRIPT, "tim"));
        assert_eq!(interpreter(SCRIPT).expect("one"), ["/bin/bash", "-l"]);
        let one = interpreter(b"#! /usr/bin/env python3 -u\n").expect("one");
        assert_eq!(one, ["/usr/bin/env", "python3 -u"]);
        assert_eq!(interpreter(b"echo\n"), None);
    }
}
