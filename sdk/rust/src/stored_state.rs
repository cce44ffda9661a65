//! The content of the state file, and how a certificate changes it. Pure: it uses no clock, no file and no network.

use crate::certificate::{Certificate, Circumstances, MAX_CLOCK_SKEW, Program};
use crate::error::LicenseError;
use crate::status::{Reason, Rejection, State, Status};

/// The content of the state file; empty if there is no file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stored {
    /// `None` if a certificate was installed without one.
    pub key: Option<String>,
    /// The most recently issued certificate.
    pub certificate: Option<String>,
    /// The installed certificate that expires last; the license is usable until then.
    pub installed: Option<String>,
    /// The last rejection that was proved.
    pub rejection: Option<Rejection>,
    /// When the service signed the rejection, in seconds since 1970; 0 if there is none.
    pub rejected_at: u64,
    /// When a certificate was last known to be valid or issued, in seconds since 1970.
    pub remembered_time: u64,
}

/// An authentic certificate.
#[derive(Debug)]
pub struct Received {
    pub text: String,
    pub certificate: Certificate,
    /// The key it was requested with; `None` if it was installed.
    pub key: Option<String>,
}

impl Stored {
    /// The state after a certificate arrives. `now` is in seconds since 1970.
    pub fn with_certificate(
        self,
        received: &Received,
        program: &Program,
        fingerprint: &str,
        now: f64,
    ) -> Self {
        let Received { text, certificate, key } = received;
        let is_installed = key.is_none();
        let read = |text: &Option<String>| read(text.as_deref(), program, fingerprint);
        let is_misdated = |other: &Certificate| other.is_ahead(now) && !certificate.is_ahead(now);

        let previous = read(&self.certificate);
        let is_same_license =
            previous.as_ref().is_none_or(|other| other.license_id == certificate.license_id);
        let previous = previous.filter(|other| !is_misdated(other));
        let is_newer = previous.as_ref().is_none_or(|other| certificate.issued_at > other.issued_at);
        let is_older =
            is_same_license && previous.as_ref().is_some_and(|other| order(certificate) < order(other));
        // A replayed response lifts no rejection. A rejection dated far in the future was signed while the
        // service's clock was ahead. It would otherwise last for that long.
        let is_rejection_misdated = self.rejected_at as f64 - now > MAX_CLOCK_SKEW as f64;
        let stays_rejected =
            is_same_license && certificate.issued_at < self.rejected_at && !is_rejection_misdated;
        let installed_stays = read(&self.installed).is_some_and(|installed| {
            let is_replaced = is_installed && certificate.expires_at >= installed.expires_at;
            installed.license_id == certificate.license_id && !is_misdated(&installed) && !is_replaced
        });
        Self {
            // Keeping the key of another license would bring back that license's certificate at the next refresh.
            key: key.clone().or(self.key.filter(|_| is_same_license)),
            certificate: if is_older { self.certificate } else { Some(text.clone()) },
            installed: if installed_stays { self.installed } else { is_installed.then(|| text.clone()) },
            rejection: self.rejection.filter(|_| stays_rejected),
            rejected_at: if stays_rejected { self.rejected_at } else { 0 },
            remembered_time: if is_newer { certificate.issued_at } else { self.remembered_time },
        }
    }

    /// Whether the stored certificate is for a license with leases.
    pub fn is_leased(&self, program: &Program, fingerprint: &str) -> bool {
        read(self.certificate.as_deref(), program, fingerprint)
            .is_some_and(|certificate| certificate.lease_seconds.is_some())
    }

    /// The license in the stored certificate; `None` if there is none for this program and machine.
    pub fn license_id(&self, program: &Program, fingerprint: &str) -> Option<String> {
        read(self.certificate.as_deref(), program, fingerprint).map(|certificate| certificate.license_id)
    }

    /// Whether the stored license is usable. `now` is in seconds since 1970.
    ///
    /// `fingerprint` is called only if there is a certificate, because it may need to be created first.
    pub fn judge(
        &self,
        program: &Program,
        fingerprint: impl FnOnce() -> Result<String, LicenseError>,
        now: f64,
        is_clock_ahead: bool,
    ) -> Result<Status, LicenseError> {
        let Some(text) = &self.certificate else {
            return Ok(match self.rejection {
                Some(rejection) => Status::new(rejection.state(), Some(Reason::Rejected)),
                None => Status::new(State::None, None),
            });
        };
        let fingerprint = fingerprint()?;
        let mut certificate = match Certificate::read(text, program, &fingerprint) {
            Ok(certificate) => certificate,
            Err(untrusted) => return Ok(untrusted.into()),
        };
        if self.installed != self.certificate {
            let installed = read(self.installed.as_deref(), program, &fingerprint);
            let installed = installed.filter(|installed| installed.license_id == certificate.license_id);
            let end = installed.map_or(0, |installed| installed.expires_at);
            certificate.expires_at = certificate.expires_at.max(end);
        }
        let (rejection, remembered_time) = (self.rejection, self.remembered_time);
        let released_at = program.released_at;
        Ok(certificate.judge(&Circumstances { rejection, now, remembered_time, is_clock_ahead, released_at }))
    }
}

fn read(text: Option<&str>, program: &Program, fingerprint: &str) -> Option<Certificate> {
    Certificate::read(text?, program, fingerprint).ok()
}

/// If two were issued in the same second, the one that expires later counts.
fn order(certificate: &Certificate) -> (u64, u64) {
    (certificate.issued_at, certificate.expires_at)
}
