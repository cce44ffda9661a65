//! Refreshes a license as often as its certificate requires.

use crate::license::License;
use crate::status::{Reason, State, Status};
use crate::timestamp::Timestamp;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Time between checks of the clock. A timer alone does not count while a laptop sleeps.
const TICK: Duration = Duration::from_secs(60);
/// Seconds between two requests.
const MAX_INTERVAL: f64 = 86_400.0;
const MIN_INTERVAL: f64 = 60.0;
/// The first and the longest pause after failed requests, in seconds; it doubles each time.
const FIRST_RETRY: f64 = 60.0;
const MAX_RETRY: f64 = 3600.0;

/// A thread that keeps a license fresh until this value is dropped.
#[derive(Debug)]
#[must_use = "it ends when it is dropped"]
pub struct KeepFresh {
    /// The thread waits for the end of the channel.
    _running: mpsc::Sender<()>,
}

impl KeepFresh {
    /// Stops the thread. A request in progress runs until its timeout, but its status is not reported.
    pub fn stop(self) {}
}

/// Sends a request immediately, and then whenever one is due.
pub fn keep_fresh(license: Arc<License>, mut on_change: impl FnMut(&Status) + Send + 'static) -> KeepFresh {
    let (sender, stopped) = mpsc::channel();
    let run = move || {
        let mut schedule = Schedule::default();
        let mut known: Option<State> = None;
        loop {
            if schedule.is_due(license.now(), || license.status().valid_until) {
                let status = license.refresh_or_beat();
                schedule.note(license.now(), status.reason);
                if stopped.try_recv() == Err(mpsc::TryRecvError::Disconnected) {
                    return;
                }
                if known.replace(status.state) != Some(status.state) {
                    on_change(&status);
                }
            }
            if stopped.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout) {
                return;
            }
        }
    };
    // If no thread can start, the license stays as fresh as its certificate.
    let _ = thread::Builder::new().name("license".into()).spawn(run);
    KeepFresh { _running: sender }
}

/// When the next request is due.
#[derive(Default)]
struct Schedule {
    /// When the last request was sent, in seconds since 1970.
    at: Option<f64>,
    /// The number of failed requests since the last success.
    failures: i32,
}

impl Schedule {
    fn note(&mut self, now: f64, reason: Option<Reason>) {
        self.at = Some(now);
        self.failures =
            if reason.is_some_and(Reason::is_of_request) { self.failures.saturating_add(1) } else { 0 };
    }

    /// After a third of the certificate's remaining time, but at least daily; sooner after a failure.
    fn is_due(&self, now: f64, valid_until: impl FnOnce() -> Option<Timestamp>) -> bool {
        let Some(at) = self.at else { return true };
        let interval = if self.failures > 0 {
            MAX_RETRY.min(FIRST_RETRY * 2f64.powi(self.failures.min(11) - 1))
        } else {
            let third = valid_until().map_or(MAX_INTERVAL, |end| (end.seconds() - at) / 3.0);
            third.clamp(MIN_INTERVAL, MAX_INTERVAL)
        };
        // Setting the clock back does not delay a request.
        now < at || now >= at + interval
    }
}

#[cfg(test)]
mod tests {
    use super::Schedule;
    use crate::status::Reason;
    use crate::timestamp::Timestamp;

    const NOW: f64 = 1_800_000_000.0;

    fn schedule(reasons: &[Option<Reason>]) -> Schedule {
        let mut schedule = Schedule::default();
        reasons.iter().for_each(|reason| schedule.note(NOW, *reason));
        schedule
    }

    /// Seconds after the last request.
    fn due_after(schedule: &Schedule, seconds_left: Option<u64>) -> i32 {
        let until = seconds_left.map(|seconds| Timestamp::from_seconds(1_800_000_000 + seconds));
        (0..100_000).find(|seconds| schedule.is_due(NOW + f64::from(*seconds), || until)).unwrap()
    }

    #[test]
    fn the_first_request_is_due_immediately() {
        assert!(Schedule::default().is_due(NOW, || None));
    }

    #[test]
    fn a_request_is_due_after_a_third_of_the_remaining_time_and_at_least_daily() {
        let fresh = schedule(&[None]);
        assert_eq!(due_after(&fresh, None), 86_400);
        assert_eq!(due_after(&fresh, Some(7 * 86_400)), 86_400);
        assert_eq!(due_after(&fresh, Some(900)), 300);
        assert_eq!(due_after(&fresh, Some(30)), 60);
    }

    #[test]
    fn retries_double_their_pause_up_to_an_hour() {
        let failed = |times| schedule(&vec![Some(Reason::NoResponse); times]);
        let waits = [1, 2, 3, 6, 7, 1000].map(|times| due_after(&failed(times), Some(900)));
        assert_eq!(waits, [60, 120, 240, 1920, 3600, 3600]);
        let rejected = schedule(&[Some(Reason::NoResponse), Some(Reason::Rejected)]);
        assert_eq!(due_after(&rejected, None), 86_400);
    }

    #[test]
    fn setting_the_clock_back_delays_nothing() {
        assert!(schedule(&[None]).is_due(NOW - 1.0, || None));
    }
}
