//! Moments for people.
//!
//! In: seconds since 1970-01-01 00:00 UTC, as files have them. Out: a date, an age. Clocks go wrong and machines
//! disagree, so a moment that is still to come is said to be one, and nothing is ever decided by a clock.

/// How long ago `moment` was, for the middle of a sentence.
pub fn age(moment: u64, now: u64) -> String {
    match now.checked_sub(moment) {
        Some(seconds) => format!("{} ago", span(seconds)),
        None => format!("on {} (this machine's clock is behind)", date(moment)),
    }
}

/// A length of time.
pub fn span(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// The date and the time of day.
pub fn date(moment: u64) -> String {
    // Years begin in March here: the leap day is the last one. 400 years have 146,097 days.
    let days = moment / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month < 3);
    let (hour, minute, second) = (moment / 3600 % 24, moment / 60 % 60, moment % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (moment, expected) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399, "2000-02-28 23:59:59 UTC"),
            (951_782_400, "2000-02-29 00:00:00 UTC"),
            (951_868_800, "2000-03-01 00:00:00 UTC"),
            (1_000_000_000, "2001-09-09 01:46:40 UTC"),
            (4_107_542_399, "2100-02-28 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(date(moment), expected);
        }
        // Whatever a file says, it can be shown.
        assert!(date(u64::MAX).ends_with("UTC"));
    }

    #[test]
    fn an_age_is_never_negative() {
        assert_eq!(age(100, 103), "3 s ago");
        assert_eq!(age(0, 7200), "2 h ago");
        assert_eq!(
            age(951_782_400, 951_782_399),
            "on 2000-02-29 00:00:00 UTC (this machine's clock is behind)"
        );
    }
}
