use crate::by_hand::{certificate_text, key_text, request_text};
use crate::certificate::{Certificate, Program};
use crate::client::{Client, Failure};
use crate::error::{LicenseError, reason_message};
use crate::keep_fresh::{KeepFresh, keep_fresh};
use crate::machine::Fingerprint;
use crate::memory::Memory;
use crate::options::{Clock, Options, Settings};
use crate::outcome::Outcome;
use crate::state_file::{ReadError, StateFile};
use crate::status::{State, Status};
use crate::stored_state::{Received, Stored};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Seconds between writes of the remembered time, because frequent calls of `status` must spare the disk.
const REMEMBER_INTERVAL: f64 = 3600.0;

/// The license of one product on this machine. Its methods block. Any thread may call them.
pub struct License {
    program: Program,
    client: Client,
    file: StateFile,
    now: Clock,
    fingerprint: Fingerprint,
    memory: Mutex<Memory>,
}

impl fmt::Debug for License {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("License").field("product", &self.program.product).finish_non_exhaustive()
    }
}

impl License {
    /// The license of a program with these options.
    ///
    /// # Errors
    ///
    /// `option` for a wrong or missing option; the message names it.
    pub fn new(options: Options) -> Result<Self, LicenseError> {
        let Settings { program, client, folder, fingerprint, now } = options.check()?;
        let file = StateFile::new(folder, program.issuer.clone(), program.product.clone());
        Ok(Self { program, client, file, fingerprint, now, memory: Mutex::default() })
    }

    /// Whether the program may run, according to the stored state. Uses no network and never fails.
    pub fn status(&self) -> Status {
        let status = match self.judge() {
            Ok(status) => status,
            Err(ReadError::Untrusted(untrusted)) => return untrusted.into(),
            Err(ReadError::License(error)) => return Status::new(State::Unreadable, Some(error.reason())),
        };
        let failure = self.memory().failure.filter(|_| status.state != State::None);
        Status { reason: failure.or(status.reason), ..status }
    }

    /// Call this when the program starts. Does nothing if the license is valid. Otherwise it refreshes the
    /// license or extends its lease. If that does not help, it activates the key.
    ///
    /// # Errors As for [`activate`](Self::activate). Without a key or with a blank one, it activates
    /// nothing and has no error.
    pub fn ensure(&self, key: Option<&str>) -> Result<Status, LicenseError> {
        let valid = Some(self.status()).filter(Status::is_valid);
        let status = valid.unwrap_or_else(|| self.refresh_or_beat());
        let key = key.filter(|key| !status.is_valid() && !key_text(key).is_empty());
        key.map_or(Ok(status), |key| self.activate(key))
    }

    /// Takes a free seat on the license for this machine unless it holds one, and stores the key and
    /// certificate. A different stored key is replaced only on success.
    ///
    /// # Errors
    ///
    /// `LICENSE_KEY_REQUIRED`, `folder`, `machine_id`, `revoked`, `expired`, `suspended`, `other_machine`, one of the reasons of
    /// [`refresh`](Self::refresh), or the service's own code, such as `MACHINE_LIMIT_REACHED`.
    pub fn activate(&self, key: &str) -> Result<Status, LicenseError> {
        let key = key_text(key);
        if key.is_empty() {
            return Err(LicenseError::new("LICENSE_KEY_REQUIRED", "Enter a license key."));
        }
        // Checked before anything is sent, because an activation that cannot be stored would be lost.
        self.file.prove_writable()?;
        self.read_or_nothing()?;
        let fingerprint = self.fingerprint()?;
        let reply = self.client.activate(key, &fingerprint).map(Some);
        match self.verify(key, &fingerprint, reply)? {
            Outcome::Received(received) => self.keep(&received, &fingerprint),
            Outcome::Rejected(_, error) | Outcome::Failed(_, error) => Err(error.of_key(key)),
            Outcome::Leased => Ok(self.status()),
        }
    }

    /// Fetches a new certificate, or stores the service's rejection of the license. Once a day is enough.
    ///
    /// Never fails. Without a valid response, only the [`reason`](Status::reason) changes. It never takes a
    /// released seat again. For a license with leases, only [`heartbeat`](Self::heartbeat) fetches
    /// certificates.
    pub fn refresh(&self) -> Status {
        if let Err(error) = self.try_refresh() {
            self.memory().failure = Some(error.reason());
        }
        self.status()
    }

    /// Refreshes on a thread, as often as the certificate requires, even after the machine has slept. For a
    /// license with leases, sends heartbeats. It stops when the returned value is dropped.
    ///
    /// `on_change` is called on that thread with the first status and whenever the state changes.
    pub fn keep_fresh(self: &Arc<Self>, on_change: impl FnMut(&Status) + Send + 'static) -> KeepFresh {
        keep_fresh(Arc::clone(self), on_change)
    }

    /// For a floating license: extends this machine's lease or takes a free seat, and stores the new certificate.
    /// Three times per lease is enough.
    ///
    /// # Errors As for [`activate`](Self::activate), or `LICENSE_HAS_NO_LEASES`, `LICENSE_NOT_ACTIVATED`.
    pub fn heartbeat(&self) -> Result<Status, LicenseError> {
        let (key, fingerprint) = self.stored_key()?;
        let reply = self.client.heartbeat(&key, &fingerprint).map(Some);
        let outcome = self.verify(&key, &fingerprint, reply)?;
        if !matches!(outcome, Outcome::Failed(..)) {
            self.store(&key, &fingerprint, &outcome)?;
        }
        match outcome {
            Outcome::Rejected(_, error) | Outcome::Failed(_, error) => Err(error),
            Outcome::Received(_) | Outcome::Leased => Ok(self.status()),
        }
    }

    /// Releases this machine's seat and deletes the stored key and certificate, even if the machine holds no seat.
    ///
    /// # Errors
    ///
    /// `LICENSE_KEY_REQUIRED`, `folder`, one of the reasons of [`refresh`](Self::refresh), or the service's own code, such as
    /// `RELEASE_NOT_ALLOWED`, `RELEASE_LIMIT_REACHED`, `CERTIFICATE_OUTSTANDING` or `MACHINE_NOT_FOUND`.
    pub fn release(&self) -> Result<Status, LicenseError> {
        let (key, fingerprint) = self.stored_key()?;
        // A certificate that cannot be deleted would act as a second seat.
        self.file.prove_writable()?;
        let result = self.client.release(&key, &fingerprint).map_err(LicenseError::from);
        if result.as_ref().map_or_else(|error| error.code() == "MACHINE_NOT_FOUND", |()| true) {
            self.file.delete_of(&key, &fingerprint)?;
            *self.memory() = Memory::default();
        }
        result.map(|()| self.status())
    }

    /// For an offline machine: returns the JSON text that the vendor needs to issue a certificate.
    ///
    /// # Errors
    ///
    /// `machine_id`, or `folder` if the machine has no id and none can be stored in the folder.
    pub fn request(&self) -> Result<String, LicenseError> {
        Ok(request_text(&self.program.product, &self.fingerprint()?))
    }

    /// For an offline machine: stores the certificate that the vendor sent, even if a mail program has wrapped it.
    ///
    /// # Errors
    ///
    /// `folder`, `machine_id`, or the rule that it breaks: `format`, `header`, `key`, `signature`, `issuer`, `claims`, `product`,
    /// `machine`.
    pub fn install(&self, certificate: &str) -> Result<Status, LicenseError> {
        let text = certificate_text(certificate);
        let fingerprint = self.fingerprint()?;
        let certificate = Certificate::read(&text, &self.program, &fingerprint).map_err(|untrusted| {
            LicenseError::new(untrusted.reason.as_str(), reason_message(untrusted.reason))
        })?;
        self.keep(&Received { text, certificate, key: None }, &fingerprint)
    }

    /// Deletes the stored key and certificate. The license stays bound to this machine.
    ///
    /// # Errors
    ///
    /// `folder`.
    pub fn forget(&self) -> Result<(), LicenseError> {
        self.file.delete()?;
        *self.memory() = Memory::default();
        Ok(())
    }

    /// The clock, in seconds since 1970.
    pub(crate) fn now(&self) -> f64 {
        (self.now)()
    }

    /// A heartbeat for a license with leases, otherwise a refresh. Never fails.
    pub(crate) fn refresh_or_beat(&self) -> Status {
        // If this fails, the refresh reports why.
        self.try_beat().ok().flatten().unwrap_or_else(|| self.refresh())
    }

    fn try_beat(&self) -> Result<Option<Status>, LicenseError> {
        let stored = self.read_or_nothing()?;
        let is_leased = stored.key.is_some() && stored.is_leased(&self.program, &self.fingerprint()?);
        if is_leased { self.heartbeat().map(Some) } else { Ok(None) }
    }

    fn try_refresh(&self) -> Result<(), LicenseError> {
        let Some(key) = self.read_or_nothing()?.key else { return Ok(()) };
        let fingerprint = self.fingerprint()?;
        let reply = self.client.refresh(&key, &fingerprint);
        self.store(&key, &fingerprint, &self.verify(&key, &fingerprint, reply)?)
    }

    fn judge(&self) -> Result<Status, ReadError> {
        let stored = self.file.read(|| self.fingerprint())?;
        let stored = self.memory().complete(stored);
        let is_clock_ahead = self.memory().is_clock_ahead;
        let now = self.now();
        let status = stored.judge(&self.program, || self.fingerprint(), now, is_clock_ahead)?;
        if status.is_valid() {
            // The clock has been set, so the interval restarts now.
            self.memory().is_clock_ahead = false;
            self.remember_time(&stored, now)?;
        }
        Ok(status)
    }

    fn remember_time(&self, verified: &Stored, now: f64) -> Result<(), LicenseError> {
        if now - (verified.remembered_time as f64) < REMEMBER_INTERVAL {
            return Ok(());
        }
        // The license stays valid in a read-only folder. If another process holds the lock, the next call
        // writes the time.
        let _ = self.file.try_update(&self.fingerprint()?, |stored| {
            let remembered_time = stored.remembered_time.max(now as u64);
            (stored.certificate == verified.certificate).then_some(Stored { remembered_time, ..stored })
        });
        Ok(())
    }

    fn verify(
        &self,
        key: &str,
        fingerprint: &str,
        reply: Result<Option<String>, Failure>,
    ) -> Result<Outcome, LicenseError> {
        Outcome::of(reply, key, || self.read_or_nothing(), &self.program, fingerprint)
    }

    /// Stores an outcome for the license with this key.
    fn store(&self, key: &str, fingerprint: &str, outcome: &Outcome) -> Result<(), LicenseError> {
        if let Outcome::Rejected(proved, _) = outcome {
            // Until it is stored.
            self.memory().unstored = Some(proved.clone());
        }
        self.file.update(fingerprint, |stored| {
            // Another key may have been activated, or this one forgotten, since.
            if stored.key.as_deref() != Some(key) {
                return None;
            }
            match outcome {
                Outcome::Received(received) => Some(self.with_received(stored, received, fingerprint)),
                Outcome::Rejected(proved, _) => Some(proved.apply(stored)),
                Outcome::Leased | Outcome::Failed(..) => None,
            }
        })?;
        self.memory().note(outcome, self.now());
        Ok(())
    }

    /// Stores a certificate, regardless of the stored key.
    fn keep(&self, received: &Received, fingerprint: &str) -> Result<Status, LicenseError> {
        self.file.update(fingerprint, |stored| Some(self.with_received(stored, received, fingerprint)))?;
        *self.memory() = Memory::after(received, self.now());
        Ok(self.status())
    }

    fn with_received(&self, stored: Stored, received: &Received, fingerprint: &str) -> Stored {
        let stored = self.memory().complete(stored);
        stored.with_certificate(received, &self.program, fingerprint, self.now())
    }

    fn read_or_nothing(&self) -> Result<Stored, LicenseError> {
        self.file.read_or_nothing(|| self.fingerprint())
    }

    /// The stored key and the fingerprint.
    fn stored_key(&self) -> Result<(String, String), LicenseError> {
        match self.read_or_nothing()?.key {
            Some(key) => Ok((key, self.fingerprint()?)),
            None => Err(LicenseError::new(
                "LICENSE_KEY_REQUIRED",
                "No license key is stored. Activate one first.",
            )),
        }
    }

    fn fingerprint(&self) -> Result<String, LicenseError> {
        self.fingerprint.get()
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
