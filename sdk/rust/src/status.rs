use crate::codes::codes;
use crate::timestamp::Timestamp;

codes! {
    /// Whether the program may run, and if not, why.
    #[non_exhaustive]
    pub enum State {
        /// The program may run.
        Valid = "valid",
        /// Nothing is stored.
        None = "none",
        /// The certificate or the state file has been tampered with, or the program has other keys.
        Damaged = "damaged",
        /// The certificate is for another product.
        OtherProduct = "other_product",
        /// The license, its certificate or the state file is for another machine.
        OtherMachine = "other_machine",
        /// The license has been revoked.
        Revoked = "revoked",
        /// The license has expired.
        Expired = "expired",
        /// The license is suspended.
        Suspended = "suspended",
        /// The lease of this machine has expired.
        LeaseEnded = "lease_ended",
        /// The clock of this machine is wrong.
        Clock = "clock",
        /// The certificate has expired.
        Ended = "ended",
        /// The folder cannot be read.
        Unreadable = "unreadable",
        /// The build is newer than the updates of the license.
        UpdateNotCovered = "update_not_covered",
    }
}

codes! {
    /// The cause of a state, or why the last request changed nothing.
    #[non_exhaustive]
    #[allow(missing_docs)]
    pub enum Reason {
        Format = "format",
        Header = "header",
        Key = "key",
        Signature = "signature",
        Issuer = "issuer",
        Claims = "claims",
        Product = "product",
        Machine = "machine",
        Rejected = "rejected",
        IssuedInFuture = "issued_in_future",
        ClockSetBack = "clock_set_back",
        AlreadyOver = "already_over",
        LicenseExpired = "license_expired",
        CertificateEnded = "certificate_ended",
        UpdatesEnded = "updates_ended",
        StateFile = "state_file",
        Folder = "folder",
        MachineId = "machine_id",
        NoResponse = "no_response",
        UntrustedServer = "untrusted_server",
        Timeout = "timeout",
        RateLimited = "rate_limited",
        ServerError = "server_error",
        NotTheService = "not_the_service",
        UnknownKey = "unknown_key",
        NoCertificate = "no_certificate",
        BadCertificate = "bad_certificate",
        Unproved = "unproved",
        RequestRejected = "request_rejected",
    }
}

impl Reason {
    /// Whether a request failed, so that another one may help.
    pub(crate) const fn is_of_request(self) -> bool {
        matches!(
            self,
            Self::NoResponse
                | Self::UntrustedServer
                | Self::Timeout
                | Self::RateLimited
                | Self::ServerError
                | Self::NotTheService
                | Self::UnknownKey
                | Self::NoCertificate
                | Self::BadCertificate
                | Self::Unproved
                | Self::RequestRejected
        )
    }
}

codes! {
    /// How the service rejects a license on this machine.
    pub enum Rejection {
        Revoked = "revoked",
        Expired = "expired",
        OtherMachine = "other_machine",
        Suspended = "suspended",
        LeaseEnded = "lease_ended",
    }
}

impl Rejection {
    pub const ALL: [Self; 5] =
        [Self::Revoked, Self::Expired, Self::OtherMachine, Self::Suspended, Self::LeaseEnded];

    /// The service's name for it.
    pub const fn status(self) -> &'static str {
        match self {
            Self::OtherMachine => "machine_mismatch",
            other => other.as_str(),
        }
    }

    pub const fn state(self) -> State {
        match self {
            Self::Revoked => State::Revoked,
            Self::Expired => State::Expired,
            Self::OtherMachine => State::OtherMachine,
            Self::Suspended => State::Suspended,
            Self::LeaseEnded => State::LeaseEnded,
        }
    }
}

/// The terms of the license, from its certificate.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// `None` if it is perpetual.
    pub expires_at: Option<Timestamp>,
    pub perpetual: bool,
    pub updates_until: Option<Timestamp>,
    pub licensee: Option<String>,
    pub plan: Option<String>,
}

/// Whether a license with this end of updates includes a build of this day, regardless of today's date.
pub fn covers(updates_until: Option<Timestamp>, released_at: Timestamp) -> bool {
    updates_until.is_none_or(|end| released_at <= end)
}

/// Whether the program is licensed, and the terms of its license.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Status {
    /// [`State::Valid`], or why the license is not valid.
    pub state: State,
    /// When the certificate or its license expires, whichever comes first. In the states [`State::Ended`]
    /// and [`State::Expired`], when that happened; `None` in all other states except [`State::Valid`].
    pub valid_until: Option<Timestamp>,
    /// When the license expires; `None` if it is perpetual, or if there is no certificate for this program and machine.
    pub expires_at: Option<Timestamp>,
    /// Whether the license is perpetual.
    pub perpetual: bool,
    /// The license covers builds released by then; `None` if it covers all builds.
    pub updates_until: Option<Timestamp>,
    /// The name of your customer, if the certificate includes it.
    pub licensee: Option<String>,
    /// The name of the plan, if the license has one.
    pub plan: Option<String>,
    /// The services of the license; empty unless it is valid.
    pub services: Vec<String>,
    /// The entitlements of the license; empty unless it is valid.
    pub entitlements: Vec<String>,
    /// The cause of the state, or why the last request changed nothing.
    pub reason: Option<Reason>,
}

impl Status {
    pub(crate) fn new(state: State, reason: Option<Reason>) -> Self {
        Self::with_terms(state, reason, Terms::default())
    }

    pub(crate) fn with_terms(state: State, reason: Option<Reason>, terms: Terms) -> Self {
        let Terms { expires_at, perpetual, updates_until, licensee, plan } = terms;
        Self {
            state,
            valid_until: None,
            expires_at,
            perpetual,
            updates_until,
            licensee,
            plan,
            services: Vec::new(),
            entitlements: Vec::new(),
            reason,
        }
    }

    /// Whether the program may run.
    pub fn is_valid(&self) -> bool {
        self.state == State::Valid
    }

    /// Whether the license is valid and includes this entitlement.
    pub fn has(&self, entitlement: &str) -> bool {
        self.entitlements.iter().any(|other| other == entitlement)
    }

    /// Whether a build released on this day, `YYYY-MM-DD`, may run with this license. False in any state
    /// except [`State::Valid`] and [`State::UpdateNotCovered`], and for a text that is not a day.
    pub fn may_update_to(&self, day: &str) -> bool {
        let may_run = matches!(self.state, State::Valid | State::UpdateNotCovered);
        may_run && Timestamp::parse_day(day).is_some_and(|day| covers(self.updates_until, day))
    }
}
