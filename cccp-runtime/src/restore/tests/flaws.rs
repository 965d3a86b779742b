//! The harness has teeth: a store with a flaw is found out, each time for the reason that the flaw is one.

use super::crashes::{SHARED, examined, orders, pairs, work};
use super::job::{Work, versions};
use super::verdict::Judge;
use crate::store::twin::Flaw;

/// What is found wrong first, in whichever order of the ranks.
fn found_out(
    generations: u64,
    keep: u32,
    publishing: Option<Flaw>,
    removing: Option<Flaw>,
) -> String {
    let work = Work {
        completes: false,
        publishing,
        removing,
        ..work(generations, keep)
    };
    let orders = orders(&work).into_iter().chain(pairs(&work));
    let mut judge = Judge::new(versions(generations, 1));
    let mut wrong = orders.filter_map(|turns| {
        let work = Work {
            turns,
            ..work.clone()
        };
        examined(&mut judge, SHARED, &work).err()
    });
    wrong.next().expect("a flaw that nobody notices")
}

#[test]
fn s24_a_store_that_does_not_synchronise_files_is_found_out() {
    let wrong = found_out(1, 2, Some(Flaw::FileNotSynced), None);
    assert!(wrong.contains("is not what was written"), "{wrong}");
}

#[test]
fn s24_a_store_that_does_not_synchronise_directories_is_found_out() {
    let wrong = found_out(1, 2, Some(Flaw::DirectoryNotSynced), None);
    assert!(wrong.contains("fresh start"), "{wrong}");
}

#[test]
fn s24_a_store_that_writes_under_the_final_name_is_found_out() {
    let wrong = found_out(1, 2, Some(Flaw::FinalName), None);
    assert!(wrong.contains("is not what was written"), "{wrong}");
}

#[test]
fn s19_a_store_that_removes_what_other_ranks_still_need_is_found_out() {
    let wrong = found_out(2, 1, None, Some(Flaw::OthersAssumed));
    assert!(wrong.contains("fresh start"), "{wrong}");
}

#[test]
fn s19_a_store_that_removes_before_newer_names_of_all_ranks_are_durable_is_found_out() {
    let wrong = found_out(2, 1, None, Some(Flaw::DirectoryNotSynced));
    assert!(wrong.contains("fresh start"), "{wrong}");
}
