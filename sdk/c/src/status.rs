use crate::free;
use crate::text::{from_c, to_c};
use std::ffi::{CStr, CString, c_char};
use std::ptr;

/// Whether the program is licensed.
pub struct Status {
    state: CString,
    reason: Option<CString>,
    until: Option<CString>,
    until_ms: i64,
    services: Vec<CString>,
    entitlements: Vec<CString>,
}

impl Status {
    /// After a panic.
    pub fn unknown() -> Self {
        let reason = Some(to_c("internal"));
        let (services, entitlements) = (Vec::new(), Vec::new());
        Self { state: to_c("unreadable"), reason, until: None, until_ms: 0, services, entitlements }
    }
}

impl From<&client::Status> for Status {
    fn from(status: &client::Status) -> Self {
        let texts = |texts: &[String]| texts.iter().map(|text| to_c(text)).collect();
        Self {
            state: to_c(status.state.as_str()),
            reason: status.reason.map(|reason| to_c(reason.as_str())),
            until: status.until.map(|until| to_c(&until.to_string())),
            until_ms: status.until.map_or(0, |until| until.unix_millis()),
            services: texts(&status.services),
            entitlements: texts(&status.entitlements),
        }
    }
}

fn pointer_to(text: Option<&CString>) -> *const c_char {
    text.map_or(ptr::null(), |text| text.as_ptr())
}

/// Whether the program may run.
///
/// # Safety
///
/// The status is of this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_is_valid(status: *const Status) -> bool {
    // SAFETY: the caller's promise.
    unsafe { status.as_ref() }.is_some_and(|status| status.state.as_bytes() == b"valid")
}

/// `valid`, or why not: a stable code.
///
/// # Safety
///
/// The status is of this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_state(status: *const Status) -> *const c_char {
    // SAFETY: the caller's promise.
    pointer_to(unsafe { status.as_ref() }.map(|status| &status.state))
}

/// A stable code that explains the state, or why the last request changed nothing; or NULL.
///
/// # Safety
///
/// The status is of this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_reason(status: *const Status) -> *const c_char {
    // SAFETY: the caller's promise.
    pointer_to(unsafe { status.as_ref() }.and_then(|status| status.reason.as_ref()))
}

/// The end of the certificate or of its license, whichever is earlier, such as `2027-01-22T08:00:00.000Z`; NULL unless the
/// certificate is good but for its end.
///
/// # Safety
///
/// The status is of this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_until(status: *const Status) -> *const c_char {
    // SAFETY: the caller's promise.
    pointer_to(unsafe { status.as_ref() }.and_then(|status| status.until.as_ref()))
}

/// The same in milliseconds since 1970; 0 if there is none.
///
/// # Safety
///
/// The status is of this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_until_ms(status: *const Status) -> i64 {
    // SAFETY: the caller's promise.
    unsafe { status.as_ref() }.map_or(0, |status| status.until_ms)
}

/// The number of services; 0 unless the license is valid.
///
/// # Safety
///
/// The status is of this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_service_count(status: *const Status) -> usize {
    // SAFETY: the caller's promise.
    unsafe { status.as_ref() }.map_or(0, |status| status.services.len())
}

/// A service by its index from 0; NULL if there is none.
///
/// # Safety
///
/// The status is of this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_service(status: *const Status, index: usize) -> *const c_char {
    // SAFETY: the caller's promise.
    pointer_to(unsafe { status.as_ref() }.and_then(|status| status.services.get(index)))
}

/// The number of entitlements; 0 unless the license is valid.
///
/// # Safety
///
/// The status is of this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_entitlement_count(status: *const Status) -> usize {
    // SAFETY: the caller's promise.
    unsafe { status.as_ref() }.map_or(0, |status| status.entitlements.len())
}

/// An entitlement by its index from 0; NULL if there is none.
///
/// # Safety
///
/// The status is of this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_entitlement(status: *const Status, index: usize) -> *const c_char {
    // SAFETY: the caller's promise.
    pointer_to(unsafe { status.as_ref() }.and_then(|status| status.entitlements.get(index)))
}

/// Whether the license is valid and includes this entitlement.
///
/// # Safety
///
/// The status is of this library and not freed; the entitlement is NULL or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_has(status: *const Status, entitlement: *const c_char) -> bool {
    // SAFETY: the caller's promise.
    let (status, name) = unsafe { (status.as_ref(), from_c(entitlement)) };
    status.is_some_and(|status| status.entitlements.iter().any(|other| is_text(other, &name)))
}

/// Frees a status.
///
/// # Safety
///
/// The status is NULL, or of this library and not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_free(status: *mut Status) {
    // SAFETY: the caller's promise.
    unsafe { free(status) }
}

fn is_text(text: &CStr, other: &str) -> bool {
    text.to_bytes() == other.as_bytes()
}
