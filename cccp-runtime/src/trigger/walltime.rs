//! When the batch system will end the job, as it says itself.

/// Seconds since 1970 at which the job ends, from the variables of the batch system; none when it says nothing.
/// `begun` is when this process began, as far as that is known: of systems that give a length only.
pub fn end_of_job(variable: impl Fn(&str) -> Option<String>, begun: f64) -> Option<f64> {
    let number = |name: &str| -> Option<f64> { variable(name)?.trim().parse().ok() };
    let positive = |value: f64| (value > 0.0).then_some(value);
    // SLURM says when.
    let slurm = number("SLURM_JOB_END_TIME").and_then(positive);
    // PBS and its relatives give seconds, from when the job began.
    let pbs = || number("PBS_WALLTIME").and_then(positive);
    let pbs = || pbs().map(|length| number("PBS_JOB_START_TIME").unwrap_or(begun) + length);
    // LSF gives minutes.
    let lsf = || number("LSB_RUNLIMIT").and_then(positive);
    let lsf = || lsf().map(|minutes| number("LSB_JOB_STARTTIME").unwrap_or(begun) + 60.0 * minutes);
    slurm.or_else(pbs).or_else(lsf)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(variables: &[(&str, &str)]) -> Option<f64> {
        let found = |name: &str| {
            let mut all = variables.iter();
            let pair = all.find(|pair| pair.0 == name);
            pair.map(|pair| pair.1.to_string())
        };
        end_of_job(found, 1000.0)
    }

    #[test]
    fn s38_the_end_of_the_job_is_what_the_batch_system_says() {
        assert_eq!(end(&[("SLURM_JOB_END_TIME", "1700000000")]), Some(1.7e9));
        assert_eq!(end(&[("PBS_WALLTIME", "3600")]), Some(4600.0));
        let begun = [("PBS_WALLTIME", "3600"), ("PBS_JOB_START_TIME", "900")];
        assert_eq!(end(&begun), Some(4500.0));
        assert_eq!(end(&[("LSB_RUNLIMIT", "10")]), Some(1600.0));
        assert_eq!(end(&[("SLURM_JOB_END_TIME", "UNLIMITED")]), None);
        assert_eq!(end(&[]), None);
    }
}
