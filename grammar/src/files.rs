//! The functions of MPI through which the library knows the files that ranks open together: cccp.h gives each of them another
//! name, `libcccp_mpi` has it.

/// In the order of their names.
pub const FILES: &[&str] = &[
    "MPI_File_close",
    "MPI_File_iread",
    "MPI_File_iread_all",
    "MPI_File_iread_at",
    "MPI_File_iread_at_all",
    "MPI_File_iread_shared",
    "MPI_File_iwrite",
    "MPI_File_iwrite_all",
    "MPI_File_iwrite_at",
    "MPI_File_iwrite_at_all",
    "MPI_File_iwrite_shared",
    "MPI_File_open",
    "MPI_File_preallocate",
    "MPI_File_read_all",
    "MPI_File_read_all_begin",
    "MPI_File_read_all_end",
    "MPI_File_read_at_all",
    "MPI_File_read_at_all_begin",
    "MPI_File_read_at_all_end",
    "MPI_File_read_ordered",
    "MPI_File_read_ordered_begin",
    "MPI_File_read_ordered_end",
    "MPI_File_read_shared",
    "MPI_File_seek_shared",
    "MPI_File_set_atomicity",
    "MPI_File_set_info",
    "MPI_File_set_size",
    "MPI_File_set_view",
    "MPI_File_sync",
    "MPI_File_write",
    "MPI_File_write_all",
    "MPI_File_write_all_begin",
    "MPI_File_write_all_end",
    "MPI_File_write_at",
    "MPI_File_write_at_all",
    "MPI_File_write_at_all_begin",
    "MPI_File_write_at_all_end",
    "MPI_File_write_ordered",
    "MPI_File_write_ordered_begin",
    "MPI_File_write_ordered_end",
    "MPI_File_write_shared",
];

#[cfg(test)]
mod tests {
    use super::FILES;

    #[test]
    fn the_names_are_in_order() {
        assert!(FILES.is_sorted_by(|one, next| one < next));
    }
}
