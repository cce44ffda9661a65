use std::fmt;
use std::time::{Duration, SystemTime};

const DAY: i64 = 86_400;

/// A point in time, in milliseconds. It is displayed as `2027-01-22T08:00:00.000Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Milliseconds since 1970 in UTC.
    pub const fn unix_millis(self) -> i64 {
        self.0
    }

    /// A time too late to represent is clamped to the latest possible one.
    pub(crate) fn from_seconds(seconds: u64) -> Self {
        Self(i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1000))
    }

    /// Seconds since 1970.
    pub(crate) fn seconds(self) -> f64 {
        self.0 as f64 / 1000.0
    }

    /// The expiry of a perpetual license: `9999-12-31T23:59:59.999Z`.
    pub(crate) const NEVER: Self = Self(253_402_300_799_999);

    /// The start of a day in UTC, written as `2026-07-31`.
    pub(crate) fn parse_day(text: &str) -> Option<Self> {
        Self::parse(&format!("{text}T00:00:00.000Z"))
    }

    /// Parses a time as the service writes it: `2026-07-31T10:15:00.000Z`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let is_like = |(byte, pattern): (&u8, &u8)| match pattern {
            b'0' => byte.is_ascii_digit(),
            _ => byte == pattern,
        };
        let pattern = b"0000-00-00T00:00:00.000Z";
        if bytes.len() != pattern.len() || !bytes.iter().zip(pattern).all(is_like) {
            return None;
        }
        let number = |start: usize, end: usize| text[start..end].parse::<i64>().ok();
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        let days = days_since_1970(year, month, day)?;
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let seconds = days * DAY + hour * 3600 + minute * 60 + second;
        Some(Self(seconds * 1000 + number(20, 23)?))
    }
}

impl From<Timestamp> for SystemTime {
    /// A time before 1970 becomes 1970, because some systems cannot represent earlier ones.
    fn from(time: Timestamp) -> Self {
        Self::UNIX_EPOCH + Duration::from_millis(u64::try_from(time.0).unwrap_or(0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.div_euclid(1000);
        let (year, month, day) = date_of(seconds.div_euclid(DAY));
        let (millis, second) = (self.0.rem_euclid(1000), seconds.rem_euclid(DAY));
        let (hour, minute) = (second / 3600, second / 60 % 60);
        write!(
            formatter,
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}.{millis:03}Z",
            second % 60
        )
    }
}

/// For a year from 1 to 9999 in the Gregorian calendar; `None` for a day that does not exist.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if year < 1 || !(1..=length).contains(&day) {
        return None;
    }
    // In years that start in March, the leap day comes last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    Some(year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468)
}

/// The date of a day after 1970, the inverse of `days_since_1970`.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year_of_era + i64::from(month > 9);
    (year, if month > 9 { month - 9 } else { month + 3 }, day)
}

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn times_are_displayed_as_they_are_parsed() {
        for text in [
            "0001-01-01T00:00:00.000Z",
            "1969-12-31T23:59:59.999Z",
            "2000-02-29T12:30:45.678Z",
            "2027-01-22T08:00:00.000Z",
            "2100-03-01T00:00:00.000Z",
            "9999-12-31T23:59:59.999Z",
        ] {
            assert_eq!(Timestamp::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Timestamp::parse("2027-01-15T08:00:00.000Z").unwrap().unix_millis(), 1_800_000_000_000);
        assert_eq!(Timestamp::parse("9999-12-31T23:59:59.999Z"), Some(Timestamp::NEVER));
    }

    #[test]
    fn times_that_do_not_exist_are_rejected() {
        for text in [
            "0000-01-01T00:00:00.000Z",
            "2026-00-01T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z",
            "2026-02-29T00:00:00.000Z",
            "2100-02-29T00:00:00.000Z",
            "2026-04-31T00:00:00.000Z",
            "2026-01-01T24:00:00.000Z",
            "2026-01-01T00:60:00.000Z",
            "2026-01-01T00:00:60.000Z",
            "2026-01-01T00:00:00Z",
            "2026-01-01t00:00:00.000Z",
            "+026-01-01T00:00:00.000Z",
            "2026-01-01T00:00:00.00éZ",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }
}
