//! The calls to the license service that need no account.

use crate::base64url;
use crate::json::Json;
use crate::random::random_bytes;
use crate::rejection::Proof;
use crate::status::{Reason, Rejection};
use crate::transport::{
    MAX_BODY, Request, Response, Transport, TransportError, exchange, is_decided_by_body,
};
use std::sync::Arc;
use std::time::Duration;

/// Why a call to the service failed.
#[derive(Debug)]
pub enum Failure {
    Rejected(Rejected),
    Request(FailedRequest),
}

/// The service says that the license must not be used on this machine.
#[derive(Debug)]
pub struct Rejected {
    pub rejection: Rejection,
    pub proof: Proof,
    /// The seats in use, if this machine holds none.
    pub machines: Option<Machines>,
    /// A rejected request for which the SDK has no code.
    pub service_error: Option<ServiceError>,
}

/// The seats of a license.
#[derive(Clone, Copy, Debug)]
pub struct Machines {
    pub used: u64,
    pub max: u64,
}

/// There is no response, or one that says nothing about the license.
#[derive(Debug)]
pub struct FailedRequest {
    pub reason: Reason,
    pub service_error: Option<ServiceError>,
    /// Seconds to wait before the next attempt, if the service said so.
    pub retry_after: Option<u64>,
    pub source: Option<TransportError>,
}

/// The service's code and message; empty if it sent none.
#[derive(Debug)]
pub struct ServiceError {
    pub code: String,
    pub message: String,
}

impl From<Reason> for FailedRequest {
    fn from(reason: Reason) -> Self {
        Self { reason, service_error: None, retry_after: None, source: None }
    }
}

impl From<TransportError> for FailedRequest {
    fn from(error: TransportError) -> Self {
        let failed = Self::from(error.reason());
        Self { source: Some(error), ..failed }
    }
}

impl<Cause: Into<FailedRequest>> From<Cause> for Failure {
    fn from(cause: Cause) -> Self {
        Self::Request(cause.into())
    }
}

/// What a validation returns for a license that may be used.
enum Validation {
    /// A certificate, not verified yet.
    Active(String),
    /// The license is active on this machine with a lease. The validation is not signed.
    Leased,
    /// The license has not been activated yet.
    Pending,
}

/// The requests of one product.
pub struct Client {
    pub service: String,
    pub product: String,
    pub machine_name: Option<String>,
    pub timeout: Duration,
    pub transport: Arc<dyn Transport>,
}

impl Client {
    /// Validates the license. Activates it only if it is pending, such as after a restore. `None` if it is
    /// active with a lease.
    pub fn refresh(&self, key: &str, fingerprint: &str) -> Result<Option<String>, Failure> {
        match self.validate(key, fingerprint)? {
            Validation::Active(certificate) => Ok(Some(certificate)),
            Validation::Leased => Ok(None),
            Validation::Pending => self.take_seat("activate", key, fingerprint).map(Some),
        }
    }

    /// Validates the license. Activates it only if it has a free seat, because activations have a lower rate limit.
    pub fn activate(&self, key: &str, fingerprint: &str) -> Result<String, Failure> {
        match self.validate(key, fingerprint) {
            Ok(Validation::Active(certificate)) => Ok(certificate),
            Ok(Validation::Leased) => self.heartbeat(key, fingerprint),
            Ok(Validation::Pending) => self.take_seat("activate", key, fingerprint),
            Err(Failure::Rejected(rejected)) if has_free_seat(&rejected) => {
                self.take_seat("activate", key, fingerprint)
            }
            Err(Failure::Rejected(Rejected { machines: Some(_), .. })) => Err(limit_reached()),
            Err(failure) => Err(failure),
        }
    }

    pub fn heartbeat(&self, key: &str, fingerprint: &str) -> Result<String, Failure> {
        self.take_seat("heartbeat", key, fingerprint)
    }

    pub fn release(&self, key: &str, fingerprint: &str) -> Result<(), Failure> {
        let body = self.post("/validate/release", self.content(key, fingerprint), "")?;
        if is_success(&body) { Ok(()) } else { Err(Reason::NotTheService.into()) }
    }

    fn validate(&self, key: &str, fingerprint: &str) -> Result<Validation, Failure> {
        let nonce = new_nonce()?;
        let mut content = self.content(key, fingerprint);
        content.extend(certificate_members(&nonce));
        let body = self.post("/validate", content, &nonce)?;
        read_validation(&body, nonce)
    }

    fn take_seat(&self, route: &str, key: &str, fingerprint: &str) -> Result<String, Failure> {
        let nonce = new_nonce()?;
        let mut content = self.content(key, fingerprint);
        content.extend(certificate_members(&nonce));
        if let Some(name) = self.machine_name.as_deref() {
            content.push(("machineName".to_owned(), name.into()));
        }
        let body = self.post(&format!("/validate/{route}"), content, &nonce)?;
        if is_success(&body) { read_certificate(&body) } else { Err(Reason::NotTheService.into()) }
    }

    fn content(&self, key: &str, fingerprint: &str) -> Vec<(String, Json)> {
        [("key", key), ("fingerprint", fingerprint), ("product", &self.product)]
            .map(|(name, value)| (name.to_owned(), value.into()))
            .into()
    }

    /// The body of a response with status 200.
    fn post(&self, route: &str, content: Vec<(String, Json)>, nonce: &str) -> Result<Json, Failure> {
        let url = format!("{}{route}", self.service);
        let body = Json::Object(content).to_string();
        let request = Request { url, body, timeout: self.timeout };
        read_response(&exchange(&self.transport, request)?, nonce)
    }
}

fn new_nonce() -> Result<String, Failure> {
    let bytes = random_bytes().map_err(|error| TransportError::Other(error.into()))?;
    Ok(base64url::encode(&bytes))
}

fn certificate_members(nonce: &str) -> [(String, Json); 2] {
    [("certificate".to_owned(), Json::Bool(true)), ("nonce".to_owned(), nonce.into())]
}

fn read_response(response: &Response, nonce: &str) -> Result<Json, Failure> {
    let Response { status, retry_after, body } = response;
    if !is_decided_by_body(*status) {
        let reason = match status {
            429 => Reason::RateLimited,
            // 511: the network requires the user to log in.
            500..=510 | 512..=599 => Reason::ServerError,
            _ => return Err(Reason::NotTheService.into()),
        };
        let retry_after = retry_after.as_deref().and_then(read_seconds);
        return Err(FailedRequest { retry_after, ..reason.into() }.into());
    }
    match if body.len() <= MAX_BODY { Json::parse(body) } else { None } {
        Some(body @ Json::Object(_)) if *status == 200 => Ok(body),
        Some(body @ Json::Object(_)) => Err(read_error(&body, nonce)),
        _ => Err(Reason::NotTheService.into()),
    }
}

fn read_seconds(text: &str) -> Option<u64> {
    let is_number = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

fn read_error(body: &Json, nonce: &str) -> Failure {
    let text = |name| body.get(name).and_then(Json::text).unwrap_or_default();
    let service_error =
        || Some(ServiceError { code: text("code").to_owned(), message: text("message").to_owned() });
    let rejection = match text("code") {
        "LICENSE_NOT_FOUND" => return Reason::UnknownKey.into(),
        "LICENSE_REVOKED" => Rejection::Revoked,
        "LICENSE_EXPIRED" => Rejection::Expired,
        "LICENSE_ON_ANOTHER_MACHINE" => Rejection::OtherMachine,
        "LICENSE_SUSPENDED" => Rejection::Suspended,
        _ => {
            return FailedRequest { service_error: service_error(), ..Reason::RequestRejected.into() }.into();
        }
    };
    Failure::Rejected(Rejected {
        rejection,
        proof: read_proof(body, nonce.to_owned()),
        machines: None,
        service_error: service_error().filter(|_| rejection == Rejection::Suspended),
    })
}

fn read_validation(body: &Json, nonce: String) -> Result<Validation, Failure> {
    let status = body.get("status").and_then(Json::text).unwrap_or_default();
    match status {
        "pending" => return Ok(Validation::Pending),
        "active" => {
            let has_lease = body.get("leaseEndsAt").and_then(Json::text).is_some();
            return match body.get("certificate") {
                None | Some(Json::Null) if has_lease => Ok(Validation::Leased),
                _ => read_certificate(body).map(Validation::Active),
            };
        }
        "invalid" => return Err(Reason::UnknownKey.into()),
        _ => {}
    }
    let rejection = Rejection::ALL.into_iter().find(|rejection| rejection.status() == status);
    let rejection = rejection.ok_or(Reason::NotTheService)?;
    Err(Failure::Rejected(Rejected {
        rejection,
        proof: read_proof(body, nonce),
        machines: read_machines(body).filter(|_| rejection == Rejection::OtherMachine),
        service_error: None,
    }))
}

fn read_proof(body: &Json, nonce: String) -> Proof {
    Proof { text: body.get("rejection").and_then(Json::text).map(str::to_owned), nonce }
}

fn read_machines(body: &Json) -> Option<Machines> {
    let machines = body.get("machines")?;
    Some(Machines { used: machines.get("used")?.integer()?, max: machines.get("max")?.integer()? })
}

fn has_free_seat(rejected: &Rejected) -> bool {
    let is_free = rejected.machines.is_some_and(|machines| machines.used < machines.max);
    is_free || rejected.rejection == Rejection::LeaseEnded
}

fn limit_reached() -> Failure {
    let service_error = ServiceError { code: "MACHINE_LIMIT_REACHED".to_owned(), message: String::new() };
    FailedRequest { service_error: Some(service_error), ..Reason::RequestRejected.into() }.into()
}

fn is_success(body: &Json) -> bool {
    body.get("success") == Some(&Json::Bool(true))
}

fn read_certificate(body: &Json) -> Result<String, Failure> {
    match body.get("certificate") {
        None | Some(Json::Null) => Err(Reason::NoCertificate.into()),
        Some(Json::Text(certificate)) => Ok(certificate.clone()),
        Some(_) => Err(Reason::BadCertificate.into()),
    }
}
