//! The error for a failed call to the service.

use crate::client::{FailedRequest, Failure, Rejected, ServiceError};
use crate::error::{LicenseError, reason_message, rejection_message};
use crate::status::Reason;
use std::sync::Arc;

impl From<Failure> for LicenseError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Rejected(Rejected { rejection, service_error, .. }) => {
                of_service(service_error, rejection.as_str(), rejection_message(rejection))
            }
            Failure::Request(FailedRequest { reason, service_error, retry_after, source }) => {
                let error =
                    of_service(service_error, reason.as_str(), reason_message(reason)).retry_in(retry_after);
                match source {
                    Some(source) => error.caused_by(Arc::new(source)),
                    None => error,
                }
            }
        }
    }
}

impl LicenseError {
    /// The error for a request with a key the user entered. Its message says if part of the key is missing.
    pub(crate) fn of_key(self, key: &str) -> Self {
        if self.code() != Reason::UnknownKey.as_str() || !is_incomplete(key) {
            return self;
        }
        let message = format!("{} This is not a complete license key.", self.message());
        self.with_message(message)
    }
}

fn is_incomplete(key: &str) -> bool {
    // 0 stands for a hexadecimal digit, X for any letter or digit.
    let whole = b"LIC-000000000000000000000000-XXXX-XXXX-XXXX";
    let is_like = |(byte, pattern): (u8, &u8)| match pattern {
        b'0' => byte.is_ascii_hexdigit(),
        b'X' => byte.is_ascii_alphanumeric(),
        other => byte.eq_ignore_ascii_case(other),
    };
    (4..whole.len()).contains(&key.len()) && key.bytes().zip(whole).all(is_like)
}

/// An error with the service's code and message, or with these if it sent none.
fn of_service(error: Option<ServiceError>, code: &'static str, message: &'static str) -> LicenseError {
    let (own_code, own_message) = error.map_or_else(Default::default, |error| (error.code, error.message));
    let message = match own_code.as_str() {
        "MACHINE_LIMIT_REACHED" => {
            "The license is in use on as many machines as it allows. Release one of them."
        }
        _ => message,
    };
    match (own_code.is_empty(), own_message.is_empty()) {
        (true, true) => LicenseError::new(code, message),
        (true, false) => LicenseError::new(code, own_message),
        (false, true) => LicenseError::new(own_code, message),
        (false, false) => LicenseError::new(own_code, own_message),
    }
}
