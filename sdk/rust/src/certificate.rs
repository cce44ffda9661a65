use crate::hash::hash_lines;
use crate::json::Json;
use crate::jws::read_jws;
use crate::signing_keys::SigningKeys;
use crate::status::{Reason, State, Status};
use crate::timestamp::Timestamp;

const MAX_CLOCK_SKEW: u64 = 86_400; // seconds

/// The constants that are built into the program.
pub struct Program {
    pub issuer: String,
    pub product: String,
    pub keys: SigningKeys,
}

impl Program {
    /// The claim `machine` of a license on the machine with this fingerprint.
    pub fn machine(&self, license_id: &str, fingerprint: &str) -> String {
        hash_lines(&["license-certificate:v1", &self.issuer, license_id, fingerprint])
    }
}

/// A certificate that breaks one of the rules 1 to 3, or a state file that cannot be used.
#[derive(Clone, Copy, Debug)]
pub struct Untrusted {
    pub state: State,
    pub reason: Reason,
}

impl Untrusted {
    pub const fn new(state: State, reason: Reason) -> Self {
        Self { state, reason }
    }
}

impl From<Untrusted> for Status {
    fn from(untrusted: Untrusted) -> Self {
        Self::new(untrusted.state, Some(untrusted.reason))
    }
}

/// The claims of a certificate that the rules 1 to 3 accept. Integers are seconds since 1970.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub license_id: String,
    pub issued_at: u64,
    pub expires_at: u64,
    pub license_expires_at: Timestamp,
    pub services: Vec<String>,
    pub entitlements: Vec<String>,
    pub lease_seconds: Option<u64>,
}

impl Certificate {
    /// Applies the rules 1 to 3: whether the issuer made this certificate for this product and machine.
    pub fn read(text: &str, program: &Program, fingerprint: &str) -> Result<Self, Untrusted> {
        let damaged = |reason| Untrusted::new(State::Damaged, reason);
        // Rule 1: damaged
        let claims = read_jws(text, "license+jwt", &program.keys).map_err(damaged)?;
        let claim = |name| claims.get(name).and_then(Json::text);
        if claim("iss") != Some(&program.issuer) {
            return Err(damaged(Reason::Issuer));
        }
        let (Some(certificate), Some(product), Some(machine), Some(_)) =
            (read_claims(&claims), claim("aud"), claim("machine"), claim("jti"))
        else {
            return Err(damaged(Reason::Claims));
        };
        // Rule 2: other_product
        if product != program.product {
            return Err(Untrusted::new(State::OtherProduct, Reason::Product));
        }
        // Rule 3: other_machine
        if machine != program.machine(&certificate.license_id, fingerprint) {
            return Err(Untrusted::new(State::OtherMachine, Reason::Machine));
        }
        Ok(certificate)
    }

    /// Seconds that the clock may be behind: with a lease less, or the lease could be used twice.
    fn clock_tolerance(&self) -> f64 {
        self.lease_seconds.map_or(MAX_CLOCK_SKEW, |lease| lease.min(MAX_CLOCK_SKEW)) as f64
    }

    /// Whether it was issued in the future by more than the tolerance. `now` in seconds since 1970.
    pub fn is_ahead(&self, now: f64) -> bool {
        self.issued_at as f64 - now > self.clock_tolerance()
    }

    /// Whether the certificate or its license is over. `now` in seconds since 1970.
    pub fn is_over(&self, now: f64) -> bool {
        self.license_is_over(now) || self.expires_at as f64 <= now
    }

    fn license_is_over(&self, now: f64) -> bool {
        self.license_expires_at.seconds() <= now
    }

    /// Applies the rules 5 and 6. Times in seconds since 1970.
    pub fn judge(self, now: f64, remembered_time: u64, is_clock_ahead: bool) -> Status {
        // Rule 5: clock
        if self.is_ahead(now) {
            return Status::new(State::Clock, Some(Reason::IssuedInFuture));
        }
        if remembered_time as f64 - now > self.clock_tolerance() {
            return Status::new(State::Clock, Some(Reason::ClockSetBack));
        }
        if is_clock_ahead && self.is_over(now) {
            return Status::new(State::Clock, Some(Reason::AlreadyOver));
        }
        // Rule 6: expired, ended
        let until = Some(Timestamp::from_seconds(self.expires_at).min(self.license_expires_at));
        if self.license_is_over(now) {
            return Status { until, ..Status::new(State::Expired, Some(Reason::LicenseExpired)) };
        }
        if self.is_over(now) {
            return Status { until, ..Status::new(State::Ended, Some(Reason::CertificateEnded)) };
        }
        let (services, entitlements) = (self.services, self.entitlements);
        Status { state: State::Valid, until, services, entitlements, reason: None }
    }
}

/// `None` if a claim is absent or of another type.
fn read_claims(claims: &Json) -> Option<Certificate> {
    let license = claims.get("license")?;
    // Older certificates have neither.
    let optional = |name| license.get(name).filter(|value| **value != Json::Null);
    Some(Certificate {
        license_id: claims.get("sub")?.text()?.to_owned(),
        issued_at: claims.get("iat")?.integer()?,
        expires_at: claims.get("exp")?.integer()?,
        license_expires_at: Timestamp::parse(license.get("expiresAt")?.text()?)?,
        services: license.get("services")?.texts()?,
        entitlements: optional("entitlements").map_or(Some(Vec::new()), Json::texts)?,
        lease_seconds: match optional("leaseSeconds") {
            Some(value) => Some(value.integer()?),
            None => None,
        },
    })
}
