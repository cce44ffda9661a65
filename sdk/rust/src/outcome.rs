use crate::certificate::{Certificate, Program};
use crate::client::{Failure, Rejected};
use crate::error::LicenseError;
use crate::status::{Reason, Rejection};
use crate::stored_state::{Received, Stored};

/// The meaning of a verified reply.
pub enum Outcome {
    Received(Received),
    /// The license is active with a lease.
    Leased,
    Rejected(ProvedRejection, LicenseError),
    Failed(Reason, LicenseError),
}

/// A signed rejection of the license with this key.
#[derive(Clone)]
pub struct ProvedRejection {
    pub key: String,
    pub rejection: Rejection,
    /// Seconds since 1970.
    pub rejected_at: u64,
}

impl ProvedRejection {
    /// The state after the rejection.
    pub fn apply(&self, stored: Stored) -> Stored {
        Stored { rejection: Some(self.rejection), rejected_at: self.rejected_at, ..stored }
    }
}

impl Outcome {
    /// `reply` has a certificate, or nothing if the license is active with a lease. `key` is the key of the request.
    pub fn of(
        reply: Result<Option<String>, Failure>,
        key: &str,
        read_stored: impl FnOnce() -> Result<Stored, LicenseError>,
        program: &Program,
        fingerprint: &str,
    ) -> Result<Self, LicenseError> {
        Ok(match reply {
            Ok(None) => Self::Leased,
            Ok(Some(text)) => match Certificate::read(&text, program, fingerprint) {
                Ok(certificate) => Self::Received(Received { text, certificate, key: Some(key.to_owned()) }),
                Err(_) => Self::Failed(Reason::BadCertificate, Failure::from(Reason::BadCertificate).into()),
            },
            Err(Failure::Rejected(rejected)) => {
                Self::of_rejection(rejected, key, &read_stored()?, program, fingerprint)
            }
            Err(Failure::Request(failed)) => Self::Failed(failed.reason, Failure::Request(failed).into()),
        })
    }

    fn of_rejection(
        rejected: Rejected,
        key: &str,
        stored: &Stored,
        program: &Program,
        fingerprint: &str,
    ) -> Self {
        let is_of_key = stored.key.as_deref() == Some(key);
        let license_id = stored.license_id(program, fingerprint).filter(|_| is_of_key);
        let (rejection, proof) = (rejected.rejection, &rejected.proof);
        let signed_at = proof.signed_at(rejection, program, fingerprint, license_id.as_deref());
        let error = Failure::Rejected(rejected).into();
        match signed_at {
            Some(rejected_at) => {
                Self::Rejected(ProvedRejection { key: key.to_owned(), rejection, rejected_at }, error)
            }
            None => Self::Failed(Reason::Unproved, error),
        }
    }
}
