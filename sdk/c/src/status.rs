use crate::free;
use crate::text::{from_c, to_c};
use std::ffi::{CString, c_char};
use std::ptr;

/// Whether the program is licensed, and the terms of its license.
#[derive(Default)]
pub struct Status {
    /// `None` after a panic.
    known: Option<client::Status>,
    state: CString,
    reason: Option<CString>,
    valid_until: Option<Time>,
    expires_at: Option<Time>,
    updates_until: Option<Time>,
    licensee: Option<CString>,
    plan: Option<CString>,
    services: Vec<CString>,
    entitlements: Vec<CString>,
}

/// A time for C.
struct Time {
    text: CString,
    millis: i64,
}

impl From<client::Timestamp> for Time {
    fn from(time: client::Timestamp) -> Self {
        Self { text: to_c(&time.to_string()), millis: time.unix_millis() }
    }
}

impl Status {
    /// Called after a panic.
    pub fn unknown() -> Self {
        Self { state: to_c("unreadable"), reason: Some(to_c("internal")), ..Self::default() }
    }
}

impl From<&client::Status> for Status {
    fn from(status: &client::Status) -> Self {
        let texts = |texts: &[String]| texts.iter().map(|text| to_c(text)).collect();
        Self {
            known: Some(status.clone()),
            state: to_c(status.state.as_str()),
            reason: status.reason.map(|reason| to_c(reason.as_str())),
            valid_until: status.valid_until.map(Time::from),
            expires_at: status.expires_at.map(Time::from),
            updates_until: status.updates_until.map(Time::from),
            licensee: status.licensee.as_deref().map(to_c),
            plan: status.plan.as_deref().map(to_c),
            services: texts(&status.services),
            entitlements: texts(&status.entitlements),
        }
    }
}

/// The status behind a pointer from C, if the library knows it. # Safety The pointer is null or valid.
unsafe fn known<'a>(status: *const Status) -> Option<&'a client::Status> {
    // SAFETY: guaranteed by the caller.
    unsafe { status.as_ref() }?.known.as_ref()
}

fn pointer_to(text: Option<&CString>) -> *const c_char {
    text.map_or(ptr::null(), |text| text.as_ptr())
}

fn text_of(time: Option<&Time>) -> *const c_char {
    pointer_to(time.map(|time| &time.text))
}

fn millis_of(time: Option<&Time>) -> i64 {
    time.map_or(0, |time| time.millis)
}

/// Whether the program may run.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_is_valid(status: *const Status) -> bool {
    // SAFETY: guaranteed by the caller.
    unsafe { known(status) }.is_some_and(client::Status::is_valid)
}

/// `valid`, or why not: a stable code.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_state(status: *const Status) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    pointer_to(unsafe { status.as_ref() }.map(|status| &status.state))
}

/// A stable code for the cause of the state, or for why the last request changed nothing; may be NULL.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_reason(status: *const Status) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    pointer_to(unsafe { status.as_ref() }.and_then(|status| status.reason.as_ref()))
}

/// When the certificate or its license expires, whichever comes first, such as `2027-01-22T08:00:00.000Z`.
/// In the states `ended` and `expired`, when that happened. NULL in all other states except `valid`.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_valid_until(status: *const Status) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    text_of(unsafe { status.as_ref() }.and_then(|status| status.valid_until.as_ref()))
}

/// The same in milliseconds since 1970; 0 if there is none.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_valid_until_ms(status: *const Status) -> i64 {
    // SAFETY: guaranteed by the caller.
    millis_of(unsafe { status.as_ref() }.and_then(|status| status.valid_until.as_ref()))
}

/// When the license expires; NULL if it is perpetual, or if there is no certificate for this program and machine.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_expires_at(status: *const Status) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    text_of(unsafe { status.as_ref() }.and_then(|status| status.expires_at.as_ref()))
}

/// The same in milliseconds since 1970; 0 if there is none.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_expires_at_ms(status: *const Status) -> i64 {
    // SAFETY: guaranteed by the caller.
    millis_of(unsafe { status.as_ref() }.and_then(|status| status.expires_at.as_ref()))
}

/// Whether the license is perpetual.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_perpetual(status: *const Status) -> bool {
    // SAFETY: guaranteed by the caller.
    unsafe { known(status) }.is_some_and(|status| status.perpetual)
}

/// The license covers builds released by then; NULL if it covers all builds.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_updates_until(status: *const Status) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    text_of(unsafe { status.as_ref() }.and_then(|status| status.updates_until.as_ref()))
}

/// The same in milliseconds since 1970; 0 if there is none.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_updates_until_ms(status: *const Status) -> i64 {
    // SAFETY: guaranteed by the caller.
    millis_of(unsafe { status.as_ref() }.and_then(|status| status.updates_until.as_ref()))
}

/// The name of your customer; NULL if the certificate has none.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_licensee(status: *const Status) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    pointer_to(unsafe { status.as_ref() }.and_then(|status| status.licensee.as_ref()))
}

/// The name of the plan; NULL if there is none.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_plan(status: *const Status) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    pointer_to(unsafe { status.as_ref() }.and_then(|status| status.plan.as_ref()))
}

/// The number of services; 0 unless the license is valid.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_service_count(status: *const Status) -> usize {
    // SAFETY: guaranteed by the caller.
    unsafe { status.as_ref() }.map_or(0, |status| status.services.len())
}

/// A service by its index from 0; NULL if there is none.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_service(status: *const Status, index: usize) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    pointer_to(unsafe { status.as_ref() }.and_then(|status| status.services.get(index)))
}

/// The number of entitlements; 0 unless the license is valid.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_entitlement_count(status: *const Status) -> usize {
    // SAFETY: guaranteed by the caller.
    unsafe { status.as_ref() }.map_or(0, |status| status.entitlements.len())
}

/// An entitlement by its index from 0; NULL if there is none.
///
/// # Safety
///
/// The status is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_entitlement(status: *const Status, index: usize) -> *const c_char {
    // SAFETY: guaranteed by the caller.
    pointer_to(unsafe { status.as_ref() }.and_then(|status| status.entitlements.get(index)))
}

/// Whether the license is valid and includes this entitlement.
///
/// # Safety
///
/// The status is from this library and not freed; the entitlement is NULL or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_has(status: *const Status, entitlement: *const c_char) -> bool {
    // SAFETY: guaranteed by the caller.
    let (status, name) = unsafe { (known(status), from_c(entitlement)) };
    status.is_some_and(|status| status.has(&name))
}

/// Whether a build released on this day, `YYYY-MM-DD`, may run with this license. False in any state except
/// `valid` and `update_not_covered`, and for a text that is not a day.
///
/// # Safety
///
/// The status is from this library and not freed; the day is NULL or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_may_update_to(status: *const Status, day: *const c_char) -> bool {
    // SAFETY: guaranteed by the caller.
    let (status, day) = unsafe { (known(status), from_c(day)) };
    status.is_some_and(|status| status.may_update_to(&day))
}

/// Frees a status.
///
/// # Safety
///
/// The status is NULL, or from this library and not freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_status_free(status: *mut Status) {
    // SAFETY: guaranteed by the caller.
    unsafe { free(status) }
}
