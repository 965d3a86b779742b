//! Counted messages: which files of a program count, and which functions (S17).

use std::ffi::OsString;
use std::path::PathBuf;

use cccp_grammar::{COUNTED, FILES};
use cccp_precompiler::catalog::{Catalogue, Role};
use cccp_precompiler::cli::options::Options;
use cccp_precompiler::cli::run::compile;

const MAIN: &str = "typedef struct communicator *MPI_Comm;
int MPI_Barrier(MPI_Comm comm);
double sum(double one, MPI_Comm comm);
double half(double one);
int main(void)
{
    double x = 1;
    MPI_Comm comm = 0;
    #pragma cccp init
    #pragma cccp register(x)
    for (int step = 0; step < 10; step++) {
        #pragma cccp register(step)
        #pragma cccp checkpoint CLAUSE
        x = half(sum(x, comm));
    }
    return x > 1;
}
";
const SUM: &str = "typedef struct communicator *MPI_Comm;
int MPI_Allreduce(const void *in, void *out, int count, void *datatype, void *op, MPI_Comm comm);
double sum(double one, MPI_Comm comm)
{
    double all = 0;
    MPI_Allreduce(&one, &all, 1, 0, 0, comm);
    return all;
}
";
const HALF: &str = "double half(double one)
{
    return one / 2;
}
";

const OPEN: &str = "typedef struct ompi_file_t *MPI_File;
int MPI_File_open(void *comm, const char *filename, int amode, void *info, MPI_File *fh);
double sum(double one, void *comm)
{
    MPI_File file;
    MPI_File_open(comm, \"sums\", 5, 0, &file);
    return one;
}
";

/// What becomes of the files of a program whose checkpoint has this clause.
fn results(name: &str, clause: &str) -> Vec<String> {
    let main = MAIN.replace("CLAUSE", clause);
    precompiled(name, &main, SUM)
}

fn precompiled(name: &str, main: &str, sum: &str) -> Vec<String> {
    let directory = std::env::temp_dir().join(format!("cccp-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for temporary files");
    let mut words = vec![OsString::from("cccp-pp"), "-d".into()];
    words.push(directory.join("out").into_os_string());
    for (name, text) in [("main.c", main), ("sum.c", sum), ("half.c", HALF)] {
        let path: PathBuf = directory.join(name);
        std::fs::write(&path, text).expect("the file can be written");
        words.push(path.into_os_string());
    }
    let options = Options::read(words.into_iter()).expect("the options are right");
    let compiled = compile(&options, &Catalogue::builtin());
    // What is left behind harms nobody.
    let _ = std::fs::remove_dir_all(&directory);
    let texts = compiled.results.into_iter();
    texts
        .map(|(_, bytes)| String::from_utf8(bytes).expect("UTF-8"))
        .collect()
}

#[test]
fn s17_every_file_with_messages_counts_them_when_one_checkpoint_wants_it() {
    let counts = |clause: &str| -> Vec<bool> {
        let texts = results(&format!("counted-{}", clause.len()), clause);
        assert_eq!(texts.len(), 3);
        let header = "#define CCCP_MESSAGES\n";
        texts
            .iter()
            .map(
                |text| match (text.find(header), text.find("#include <cccp.h>")) {
                    (Some(define), Some(include)) => define < include,
                    (define, _) => define.is_some(),
                },
            )
            .collect()
    };
    assert_eq!(counts("messages(counted)"), [false, true, false]);
    assert_eq!(counts(""), [false, false, false]);
}

#[test]
fn s17_what_is_counted_is_in_the_catalogue_and_communicates() {
    let catalogue = Catalogue::builtin();
    let communicating = [Role::Communicates, Role::Collective, Role::Persistent];
    for name in COUNTED {
        // It ends a request without a message.
        if *name == "MPI_Request_free" {
            continue;
        }
        let function = catalogue.find(name);
        let function = function.unwrap_or_else(|| panic!("{name} is in no chapter"));
        assert!(
            communicating.iter().any(|role| function.is(*role)),
            "{name} does not communicate"
        );
    }
}

#[test]
fn s16_every_file_that_opens_files_of_mpi_does_so_through_the_library() {
    let goes = |clause: &str, text: &str| -> Vec<bool> {
        let main = MAIN.replace("CLAUSE", clause);
        let texts = precompiled(&format!("files-{}", clause.len()), &main, OPEN);
        texts.iter().map(|one| one.contains(text)).collect()
    };
    let plain = "#define CCCP_FILES\n#include <cccp.h>\n";
    assert_eq!(goes("", plain), [false, true, false]);
    // Then that header has both.
    let counted = "#define CCCP_MESSAGES\n#include <cccp.h>\n";
    assert_eq!(goes("messages(counted)", counted), [false, true, false]);
    let unmarked: String = MAIN
        .lines()
        .filter(|line| !line.contains("#pragma"))
        .map(|line| format!("{line}\n"))
        .collect();
    let texts = precompiled("files-unmarked", &unmarked, OPEN);
    assert_eq!(texts[1], OPEN);
}

#[test]
fn s16_what_opens_and_moves_files_of_mpi_is_in_the_catalogue() {
    let catalogue = Catalogue::builtin();
    for name in FILES {
        assert!(catalogue.contains(name), "{name} is in no chapter");
    }
}
