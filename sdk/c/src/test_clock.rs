use std::sync::atomic::{AtomicU64, Ordering};

static CLOCK: AtomicU64 = AtomicU64::new(0);

/// The clock of all licenses, in seconds since 1970.
pub fn now() -> f64 {
    f64::from_bits(CLOCK.load(Ordering::SeqCst))
}

/// Sets the clock of all licenses, in seconds since 1970.
#[unsafe(no_mangle)]
pub extern "C" fn lmc_test_clock(seconds: f64) {
    CLOCK.store(seconds.to_bits(), Ordering::SeqCst);
}
