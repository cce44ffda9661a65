use crate::text::to_c;
use crate::{free, give};
use client::LicenseError;
use std::ffi::{CString, c_char};
use std::ptr;

/// A problem that the program or its user must fix, with an option, the folder, a response or a certificate.
pub struct Error {
    code: CString,
    message: CString,
    retry_after: i64,
}

impl Error {
    pub fn new(code: &str, message: &str) -> Self {
        Self { code: to_c(code), message: to_c(message), retry_after: -1 }
    }

    /// A bug in the program or in this library.
    pub fn internal(message: &str) -> Self {
        Self::new("internal", message)
    }
}

impl From<LicenseError> for Error {
    fn from(error: LicenseError) -> Self {
        let retry_after = error.retry_after().and_then(|wait| i64::try_from(wait.as_secs()).ok());
        Self { retry_after: retry_after.unwrap_or(-1), ..Self::new(error.code(), error.message()) }
    }
}

/// The error for C, or null on success.
pub fn give_error(result: Result<(), Error>) -> *mut Error {
    result.err().map_or(ptr::null_mut(), give)
}

/// The code, which is stable.
///
/// # Safety
///
/// The error is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_error_code(error: *const Error) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    unsafe { error.as_ref() }.map_or(ptr::null(), |error| error.code.as_ptr())
}

/// The message for people, in English.
///
/// # Safety
///
/// The error is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_error_message(error: *const Error) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    unsafe { error.as_ref() }.map_or(ptr::null(), |error| error.message.as_ptr())
}

/// Seconds to wait before the next attempt if the service said so, otherwise -1.
///
/// # Safety
///
/// The error is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_error_retry_after(error: *const Error) -> i64 {
    // SAFETY: guaranteed by the caller.
    unsafe { error.as_ref() }.map_or(-1, |error| error.retry_after)
}

/// Frees an error.
///
/// # Safety
///
/// The error is NULL, or from this library and not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_error_free(error: *mut Error) {
    // SAFETY: guaranteed by the caller.
    unsafe { free(error) }
}
