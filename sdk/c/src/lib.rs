//! The C ABI of `license-management-client`. No panic crosses it.

mod error;
mod keep_fresh;
mod license;
mod options;
mod status;
#[cfg(feature = "test-clock")]
mod test_clock;
mod text;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The result of a call, or of `after_panic`, because unwinding into C is undefined.
fn guard<T>(call: impl FnOnce() -> T, after_panic: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| after_panic())
}

/// Moves a value to C, which returns it to [`free`].
fn give<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Frees a value of [`give`]; null is ignored.
///
/// # Safety
///
/// The pointer is null, or from `give` and not freed yet.
unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: guaranteed by the caller.
        let value = unsafe { Box::from_raw(pointer) };
        guard(move || drop(value), || ());
    }
}
