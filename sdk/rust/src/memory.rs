use crate::outcome::{Outcome, ProvedRejection};
use crate::status::Reason;
use crate::stored_state::{Received, Stored};

/// What a process knows in addition to the state file.
#[derive(Default)]
pub struct Memory {
    /// Why the last request changed nothing.
    pub failure: Option<Reason>,
    /// Whether a certificate had already expired when it was fetched, which means the clock is wrong.
    pub is_clock_ahead: bool,
    /// A rejection that could not be stored.
    pub unstored: Option<ProvedRejection>,
}

impl Memory {
    /// The memory after a certificate has arrived. `now` is in seconds since 1970.
    pub fn after(received: &Received, now: f64) -> Self {
        let (certificate, is_fetched) = (&received.certificate, received.key.is_some());
        let is_clock_ahead = is_fetched && !certificate.is_ahead(now) && certificate.is_over(now);
        Self { is_clock_ahead, ..Self::default() }
    }

    /// Records what was stored. A response about a lease is not signed, so it lifts no rejection.
    pub fn note(&mut self, outcome: &Outcome, now: f64) {
        match outcome {
            Outcome::Failed(reason, _) => self.failure = Some(*reason),
            Outcome::Received(received) => *self = Self::after(received, now),
            Outcome::Leased => self.failure = None,
            Outcome::Rejected(..) => (self.failure, self.unstored) = (None, None),
        }
    }

    /// The stored state, with a rejection that could not be stored.
    pub fn complete(&self, stored: Stored) -> Stored {
        match &self.unstored {
            Some(proved) if stored.key.as_ref() == Some(&proved.key) => proved.apply(stored),
            _ => stored,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use crate::outcome::ProvedRejection;
    use crate::status::Rejection;
    use crate::stored_state::Stored;

    #[test]
    fn an_unstored_rejection_applies_only_to_its_key() {
        let proved = ProvedRejection { key: "a key".into(), rejection: Rejection::Revoked, rejected_at: 7 };
        let memory = Memory { unstored: Some(proved), ..Memory::default() };
        let stored = |key: &str| Stored { key: Some(key.into()), ..Stored::default() };
        let rejected = Stored { rejection: Some(Rejection::Revoked), rejected_at: 7, ..stored("a key") };
        assert_eq!(memory.complete(stored("a key")), rejected);
        assert_eq!(memory.complete(stored("another")), stored("another"));
        assert_eq!(memory.complete(Stored::default()), Stored::default());
    }
}
