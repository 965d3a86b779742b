//! The topology of a communicator: a grid, a graph, neighbours; in words, and from words.

use std::ffi::c_int;

use cccp::comm::CommError;
use mpi::ffi;
use mpi::ffi::MPI_Comm as Comm;

use crate::comm::check;

/// The words for it; none when it has no topology.
///
/// # Safety
///
/// The communicator is alive.
pub unsafe fn words(comm: Comm) -> Result<Vec<String>, CommError> {
    let mut kind = 0;
    let list = |count: c_int| vec![0; usize::try_from(count).unwrap_or(0).max(1)];
    let mut out = Vec::new();
    let mut say = |word: &str, numbers: &[(&[c_int], c_int)]| {
        out.push(word.to_string());
        for (all, count) in numbers {
            let all = &all[..usize::try_from(*count).unwrap_or(0)];
            out.push(all.len().to_string());
            out.extend(all.iter().map(c_int::to_string));
        }
    };
    // SAFETY: the promise of the caller; the lists are as long as MPI says.
    unsafe {
        check("MPI_Topo_test", ffi::MPI_Topo_test(comm, &mut kind))?;
        if kind == ffi::RSMPI_CART {
            let mut count = 0;
            check("MPI_Cartdim_get", ffi::MPI_Cartdim_get(comm, &mut count))?;
            let (mut sizes, mut wraps, mut place) = (list(count), list(count), list(count));
            let (one, two, three) = (sizes.as_mut_ptr(), wraps.as_mut_ptr(), place.as_mut_ptr());
            check(
                "MPI_Cart_get",
                ffi::MPI_Cart_get(comm, count, one, two, three),
            )?;
            say("grid", &[(&sizes, count), (&wraps, count)]);
        } else if kind == ffi::RSMPI_GRAPH {
            let (mut nodes, mut edges) = (0, 0);
            let code = ffi::MPI_Graphdims_get(comm, &mut nodes, &mut edges);
            check("MPI_Graphdims_get", code)?;
            let (mut ends, mut targets) = (list(nodes), list(edges));
            let (one, two) = (ends.as_mut_ptr(), targets.as_mut_ptr());
            check(
                "MPI_Graph_get",
                ffi::MPI_Graph_get(comm, nodes, edges, one, two),
            )?;
            say("graph", &[(&ends, nodes), (&targets, edges)]);
        } else if kind == ffi::RSMPI_DIST_GRAPH {
            let (mut into, mut out_of, mut weighted) = (0, 0, 0);
            let code =
                ffi::MPI_Dist_graph_neighbors_count(comm, &mut into, &mut out_of, &mut weighted);
            check("MPI_Dist_graph_neighbors_count", code)?;
            let (mut sources, mut targets) = (list(into), list(out_of));
            let (mut to_here, mut from_here) = (list(into), list(out_of));
            let code = ffi::MPI_Dist_graph_neighbors(
                comm,
                into,
                sources.as_mut_ptr(),
                to_here.as_mut_ptr(),
                out_of,
                targets.as_mut_ptr(),
                from_here.as_mut_ptr(),
            );
            check("MPI_Dist_graph_neighbors", code)?;
            let (one, two) = if weighted != 0 {
                (into, out_of)
            } else {
                (0, 0)
            };
            say(
                "neighbours",
                &[
                    (&sources, into),
                    (&targets, out_of),
                    (&to_here, one),
                    (&from_here, two),
                ],
            );
        }
    }
    Ok(out)
}

/// A communicator of the same ranks with the topology, made by all of them; none when the words say nothing of one.
///
/// # Safety
///
/// The communicator is alive.
pub unsafe fn with<'a>(
    comm: Comm,
    words: &mut impl Iterator<Item = &'a str>,
) -> Result<Option<Comm>, CommError> {
    let Some(word) = words.next() else {
        return Ok(None);
    };
    let nonsense =
        || CommError::new("the checkpoint does not say what the topology of a communicator was");
    let mut lists: Vec<Vec<c_int>> = Vec::new();
    while let Some(count) = words.next() {
        let count: usize = count.parse().map_err(|_| nonsense())?;
        let list: Option<Vec<c_int>> = (0..count).map(|_| words.next()?.parse().ok()).collect();
        lists.push(list.ok_or_else(nonsense)?);
    }
    let length = |list: &[c_int]| c_int::try_from(list.len()).unwrap_or(0);
    let mut made = comm;
    // SAFETY: the promise of the caller; MPI reads lists in the lengths that they have.
    unsafe {
        match (word, lists.as_slice()) {
            ("grid", [sizes, wraps]) if sizes.len() == wraps.len() => check(
                "MPI_Cart_create",
                ffi::MPI_Cart_create(
                    comm,
                    length(sizes),
                    sizes.as_ptr(),
                    wraps.as_ptr(),
                    0,
                    &mut made,
                ),
            )?,
            ("graph", [ends, targets]) => check(
                "MPI_Graph_create",
                ffi::MPI_Graph_create(
                    comm,
                    length(ends),
                    ends.as_ptr(),
                    targets.as_ptr(),
                    0,
                    &mut made,
                ),
            )?,
            ("neighbours", [sources, targets, to_here, from_here]) => {
                let plain = ffi::RSMPI_UNWEIGHTED();
                let weights = |list: &Vec<c_int>, all: &Vec<c_int>| match list.len() == all.len() {
                    true if !all.is_empty() => list.as_ptr(),
                    _ => plain.cast_const(),
                };
                // Where this rank has no neighbours on one side, its weights there are not asked for.
                let is_weighted = !to_here.is_empty() || !from_here.is_empty();
                let of = |list: &Vec<c_int>, all: &Vec<c_int>| match is_weighted && all.is_empty() {
                    true => list.as_ptr(),
                    false => weights(list, all),
                };
                let code = ffi::MPI_Dist_graph_create_adjacent(
                    comm,
                    length(sources),
                    sources.as_ptr(),
                    of(to_here, sources),
                    length(targets),
                    targets.as_ptr(),
                    of(from_here, targets),
                    ffi::RSMPI_INFO_NULL,
                    0,
                    &mut made,
                );
                check("MPI_Dist_graph_create_adjacent", code)?;
            }
            _ => return Err(nonsense()),
        }
    }
    Ok(Some(made))
}
