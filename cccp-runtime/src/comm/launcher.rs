//! What the launcher of a job says about it, whether or not this process has heard.

/// Where launchers say how many processes they started.
const SIZES: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"];
/// Where launchers say which process this is; not all of them say a size.
const RANKS: [&str; 3] = ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"];

/// The variable, as `NAME=value`, by which a launcher says that it started this process as one of several. A process
/// that believes to be alone then shares its files with others.
pub fn one_of_several() -> Option<String> {
    sign(|name| std::env::var(name).ok())
}

fn sign(variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let above = |name: &str, limit: i64| {
        let value: i64 = variable(name)?.trim().parse().ok()?;
        (value > limit).then(|| format!("{name}={value}"))
    };
    let sizes = SIZES.iter().find_map(|name| above(name, 1));
    sizes.or_else(|| RANKS.iter().find_map(|name| above(name, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(variables: &[(&str, &str)]) -> Option<String> {
        sign(|name| {
            let mut pairs = variables.iter();
            pairs
                .find(|pair| pair.0 == name)
                .map(|pair| pair.1.to_string())
        })
    }

    #[test]
    fn one_of_several_processes_is_noticed() {
        let several = [("PMI_RANK", "0"), ("PMI_SIZE", "4")];
        assert_eq!(found(&several).as_deref(), Some("PMI_SIZE=4"));
        assert_eq!(found(&[("PMIX_RANK", "3")]).as_deref(), Some("PMIX_RANK=3"));
    }

    #[test]
    fn a_process_of_its_own_is_accepted() {
        assert_eq!(found(&[("OMPI_COMM_WORLD_SIZE", "1")]), None);
        assert_eq!(found(&[("OMPI_COMM_WORLD_RANK", "0")]), None);
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[("PMI_SIZE", "many")]), None);
    }
}
