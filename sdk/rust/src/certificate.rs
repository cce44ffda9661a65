use crate::hash::hash_lines;
use crate::json::Json;
use crate::jws::read_jws;
use crate::signing_keys::SigningKeys;
use crate::status::{Reason, Rejection, State, Status, Terms, covers};
use crate::timestamp::Timestamp;

/// Seconds.
pub const MAX_CLOCK_SKEW: u64 = 86_400;

/// The constants built into the program.
pub struct Program {
    pub issuer: String,
    pub product: String,
    pub keys: SigningKeys,
    /// The release date of this build; `None` if it runs regardless of updates.
    pub released_at: Option<Timestamp>,
}

impl Program {
    /// The claim `machine` of a license on the machine with this fingerprint.
    pub fn machine(&self, license_id: &str, fingerprint: &str) -> String {
        hash_lines(&["license-certificate:v1", &self.issuer, license_id, fingerprint])
    }
}

/// A certificate that fails one of rules 1 to 3, or a state file that cannot be used.
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

/// The claims of a certificate that passes rules 1 to 3. Integers are seconds since 1970.
#[derive(Clone, Debug)]
pub struct Certificate {
    pub license_id: String,
    pub issued_at: u64,
    pub expires_at: u64,
    pub license_expires_at: Timestamp,
    pub terms: Terms,
    pub services: Vec<String>,
    pub entitlements: Vec<String>,
    pub lease_seconds: Option<u64>,
}

/// What rules 4 to 7 depend on. Times in seconds since 1970.
pub struct Circumstances {
    pub rejection: Option<Rejection>,
    pub now: f64,
    pub remembered_time: u64,
    /// Whether a certificate had already expired when it was fetched.
    pub is_clock_ahead: bool,
    pub released_at: Option<Timestamp>,
}

impl Certificate {
    /// Applies rules 1 to 3: whether the issuer made this certificate for this product and machine.
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

    /// Seconds that the clock may be behind; fewer with a lease, which could otherwise be used twice.
    fn clock_tolerance(&self) -> f64 {
        self.lease_seconds.map_or(MAX_CLOCK_SKEW, |lease| lease.min(MAX_CLOCK_SKEW)) as f64
    }

    /// Whether it was issued further in the future than the tolerance. `now` is in seconds since 1970.
    pub fn is_ahead(&self, now: f64) -> bool {
        self.issued_at as f64 - now > self.clock_tolerance()
    }

    /// Whether the certificate or its license has expired. `now` is in seconds since 1970.
    pub fn is_over(&self, now: f64) -> bool {
        self.license_is_over(now) || self.expires_at as f64 <= now
    }

    fn license_is_over(&self, now: f64) -> bool {
        self.license_expires_at.seconds() <= now
    }

    /// Applies rules 4 to 7: whether an authentic certificate is valid now.
    pub fn judge(self, at: &Circumstances) -> Status {
        let updates_until = self.terms.updates_until;
        let license_end = self.license_expires_at;
        let (license_is_over, is_over) = (self.license_is_over(at.now), self.is_over(at.now));
        let (is_ahead, tolerance) = (self.is_ahead(at.now), self.clock_tolerance());
        let valid_until = Some(Timestamp::from_seconds(self.expires_at).min(license_end));
        let status = |state, reason| Status::with_terms(state, reason, self.terms);
        // Rule 4: the stored rejection
        if let Some(rejection) = at.rejection {
            return status(rejection.state(), Some(Reason::Rejected));
        }
        // Rule 5: clock
        if is_ahead {
            return status(State::Clock, Some(Reason::IssuedInFuture));
        }
        if at.remembered_time as f64 - at.now > tolerance {
            return status(State::Clock, Some(Reason::ClockSetBack));
        }
        if at.is_clock_ahead && is_over {
            return status(State::Clock, Some(Reason::AlreadyOver));
        }
        // Rule 6: expired, ended
        if license_is_over {
            let valid_until = Some(license_end);
            return Status { valid_until, ..status(State::Expired, Some(Reason::LicenseExpired)) };
        }
        if is_over {
            return Status { valid_until, ..status(State::Ended, Some(Reason::CertificateEnded)) };
        }
        // Rule 7: update_not_covered
        if at.released_at.is_some_and(|day| !covers(updates_until, day)) {
            return status(State::UpdateNotCovered, Some(Reason::UpdatesEnded));
        }
        let (services, entitlements) = (self.services, self.entitlements);
        Status { valid_until, services, entitlements, ..status(State::Valid, None) }
    }
}

/// `None` if a claim is absent or of another type.
fn read_claims(claims: &Json) -> Option<Certificate> {
    let license = claims.get("license")?;
    let license_expires_at = read_time(license.get("expiresAt")?)?;
    let perpetual = license_expires_at == Timestamp::NEVER;
    Some(Certificate {
        license_id: claims.get("sub")?.text()?.to_owned(),
        issued_at: claims.get("iat")?.integer()?,
        expires_at: claims.get("exp")?.integer()?,
        license_expires_at,
        terms: Terms {
            expires_at: (!perpetual).then_some(license_expires_at),
            perpetual,
            updates_until: optional(license, "updatesUntil", read_time)?,
            licensee: optional(license, "licensee", read_text)?,
            plan: optional(license, "plan", read_text)?,
        },
        services: license.get("services")?.texts()?,
        entitlements: optional(license, "entitlements", Json::texts)?.unwrap_or_default(),
        lease_seconds: optional(license, "leaseSeconds", Json::integer)?,
    })
}

/// A member that older certificates lack: `Some(None)` if it is absent or null, `None` if it is of another type.
fn optional<T>(license: &Json, name: &str, read: impl FnOnce(&Json) -> Option<T>) -> Option<Option<T>> {
    match license.get(name) {
        None | Some(Json::Null) => Some(None),
        Some(value) => read(value).map(Some),
    }
}

fn read_time(value: &Json) -> Option<Timestamp> {
    Timestamp::parse(value.text()?)
}

fn read_text(value: &Json) -> Option<String> {
    value.text().map(str::to_owned)
}
