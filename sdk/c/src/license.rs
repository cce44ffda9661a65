use crate::error::{Error, give_error};
use crate::options::Options;
use crate::status::Status;
use crate::text::{from_c, to_c};
use crate::{free, give, guard};
use client::LicenseError;
use std::ffi::c_char;
use std::sync::Arc;

/// The license of one product on this machine.
pub struct License(pub Arc<client::License>);

/// Calls a method of a license, and stores its result for C.
///
/// # Safety
///
/// The pointers are null or valid.
unsafe fn call<T, Given>(
    license: *const License,
    result: *mut *mut Given,
    method: impl FnOnce(&client::License) -> Result<T, LicenseError>,
    to_c: impl FnOnce(T) -> *mut Given,
) -> *mut Error {
    let run = || {
        // SAFETY: guaranteed by the caller.
        let license = unsafe { license.as_ref() }.ok_or_else(|| Error::internal("The license is NULL."))?;
        let value = method(&license.0)?;
        if !result.is_null() {
            // SAFETY: guaranteed by the caller.
            unsafe { result.write(to_c(value)) };
        }
        Ok(())
    };
    give_error(guard(run, || Err(after_panic())))
}

/// Calls a method of a license that never fails.
///
/// # Safety
///
/// The pointer is null or valid.
unsafe fn status_of(
    license: *const License,
    method: impl FnOnce(&client::License) -> client::Status,
) -> *mut Status {
    let run = || {
        // SAFETY: guaranteed by the caller.
        unsafe { license.as_ref() }.map(|license| give_status(method(&license.0)))
    };
    guard(run, || None).unwrap_or_else(|| give(Status::unknown()))
}

fn give_status(status: client::Status) -> *mut Status {
    give(Status::from(&status))
}

fn after_panic() -> Error {
    Error::internal("This is a mistake in the license library.")
}

/// Creates a program's license with these options. Free it with `lmc_license_free`.
///
/// # Safety
///
/// The options are as `lmc_options` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_new(options: *const Options, license: *mut *mut License) -> *mut Error {
    let run = || {
        if license.is_null() {
            return Err(Error::internal("The place of the license is NULL."));
        }
        // SAFETY: guaranteed by the caller.
        let made = client::License::new(unsafe { Options::read(options) }?)?;
        // SAFETY: it is not null.
        unsafe { license.write(give(License(Arc::new(made)))) };
        Ok(())
    };
    give_error(guard(run, || Err(after_panic())))
}

/// Frees a license. If it is being kept fresh, that continues until `lmc_keep_fresh_stop`.
///
/// # Safety
///
/// The license is NULL, or from this library, not freed yet, and used by no other thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_free(license: *mut License) {
    // SAFETY: guaranteed by the caller.
    unsafe { free(license) }
}

/// Whether the program may run, according to the stored state. Uses no network and never fails. Free the status with
/// `lmc_status_free`.
///
/// # Safety
///
/// The license is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_status(license: *const License) -> *mut Status {
    // SAFETY: guaranteed by the caller.
    unsafe { status_of(license, client::License::status) }
}

/// Fetches a new certificate, or stores the service's rejection of the license. Never fails. Without a
/// valid response, only the reason changes. Free the status with `lmc_status_free`.
///
/// # Safety
///
/// The license is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_refresh(license: *const License) -> *mut Status {
    // SAFETY: guaranteed by the caller.
    unsafe { status_of(license, client::License::refresh) }
}

/// Call this when the program starts. Does nothing if the license is valid. Otherwise it refreshes the
/// license or extends its lease. If that does not help, it activates the key. Without a key or with a blank
/// one, it activates nothing and returns NULL. `status` may be NULL.
///
/// # Safety
///
/// The license is from this library and not freed; the key is NULL or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_ensure(
    license: *const License,
    key: *const c_char,
    status: *mut *mut Status,
) -> *mut Error {
    // SAFETY: guaranteed by the caller.
    unsafe { call(license, status, |license| license.ensure(Some(&from_c(key))), give_status) }
}

/// Takes a free seat on the license for this machine unless it holds one, and stores the key and
/// certificate. `status` may be NULL.
///
/// # Safety
///
/// The license is from this library and not freed; the key is NULL or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_activate(
    license: *const License,
    key: *const c_char,
    status: *mut *mut Status,
) -> *mut Error {
    // SAFETY: guaranteed by the caller.
    unsafe { call(license, status, |license| license.activate(&from_c(key)), give_status) }
}

/// For a floating license: extends this machine's lease or takes a free seat, and stores the new
/// certificate. `status` may be NULL.
///
/// # Safety
///
/// The license is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_heartbeat(
    license: *const License,
    status: *mut *mut Status,
) -> *mut Error {
    // SAFETY: guaranteed by the caller.
    unsafe { call(license, status, client::License::heartbeat, give_status) }
}

/// Releases this machine's seat and deletes the stored key and certificate. `status` may be NULL.
///
/// # Safety
///
/// The license is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_release(
    license: *const License,
    status: *mut *mut Status,
) -> *mut Error {
    // SAFETY: guaranteed by the caller.
    unsafe { call(license, status, client::License::release, give_status) }
}

/// For an offline machine: returns the JSON text that the vendor needs to issue a certificate. Free it with
/// `lmc_text_free`.
///
/// # Safety
///
/// The license is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_request(
    license: *const License,
    request: *mut *mut c_char,
) -> *mut Error {
    let give_text = |text: String| to_c(&text).into_raw();
    // SAFETY: guaranteed by the caller.
    unsafe { call(license, request, client::License::request, give_text) }
}

/// For an offline machine: stores the certificate that the vendor sent. `status` may be NULL.
///
/// # Safety
///
/// The license is from this library and not freed; the certificate is NULL or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_install(
    license: *const License,
    certificate: *const c_char,
    status: *mut *mut Status,
) -> *mut Error {
    // SAFETY: guaranteed by the caller.
    unsafe { call(license, status, |license| license.install(&from_c(certificate)), give_status) }
}

/// Deletes the stored key and certificate. The license stays bound to this machine.
///
/// # Safety
///
/// The license is from this library and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lmc_license_forget(license: *const License) -> *mut Error {
    let none: *mut *mut Status = std::ptr::null_mut();
    // SAFETY: guaranteed by the caller.
    unsafe { call(license, none, client::License::forget, |()| std::ptr::null_mut()) }
}
