//! Cases that `sdk/scenarios.json` cannot express: threads, custom transports and paths that are not files.

use license_management_client::{License, Options, Request, Response, State, Transport, TransportError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

/// Long enough for a busy machine; only a failure takes this long.
const LONG: Duration = Duration::from_secs(60);

/// The keys and certificates are in `sdk/scenarios.json`.
struct Customer {
    folder: PathBuf,
    scenarios: serde_json::Value,
}

impl Customer {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("license-rust-{name}-{}", process::id()));
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios.json");
        Self { folder, scenarios: serde_json::from_slice(&fs::read(path).unwrap()).unwrap() }
    }

    fn options(&self) -> Options {
        let program = &self.scenarios["program"];
        let text = |name: &str| program[name].as_str().unwrap().to_owned();
        let now = self.scenarios["now"].as_f64().unwrap();
        Options {
            service: "http://127.0.0.1:2".into(),
            issuer: text("issuer"),
            product: text("product"),
            keys: program["keys"].as_array().unwrap().iter().map(|key| key.to_string()).collect(),
            folder: self.folder.clone(),
            fingerprint: Some(text("fingerprint")),
            now: Some(Arc::new(move || now)),
            transport: Some(Arc::new(|_: &Request| Err(TransportError::Timeout))),
            ..Options::default()
        }
    }

    fn with(
        &self,
        send: impl Fn(&Request) -> Result<Response, TransportError> + Send + Sync + 'static,
    ) -> License {
        let transport: Option<Arc<dyn Transport>> = Some(Arc::new(send));
        License::new(Options { transport, timeout: LONG, ..self.options() }).unwrap()
    }

    /// A valid certificate.
    fn certificate(&self) -> String {
        let license = License::new(self.options()).unwrap();
        let certificates = self.scenarios["certificates"].as_object().unwrap();
        let texts = certificates.values().map(|text| text.as_str().unwrap());
        let valid =
            texts.into_iter().find(|text| license.install(text).is_ok_and(|status| status.is_valid()));
        license.forget().unwrap();
        valid.unwrap().to_owned()
    }

    fn state_file(&self) -> PathBuf {
        let mut files = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path());
        files.find(|path| path.extension().is_some_and(|extension| extension == "json")).unwrap()
    }
}

impl Drop for Customer {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn active(certificate: &str) -> Response {
    let body = serde_json::json!({ "valid": true, "status": "active", "certificate": certificate });
    Response { status: 200, body: body.to_string().into(), ..Response::default() }
}

#[test]
fn a_license_can_be_shared_by_threads() {
    fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<License>();
}

#[test]
fn a_slow_transport_times_out() {
    let customer = Customer::new("slow");
    let (release, held) = mpsc::channel::<()>();
    let held = Mutex::new(held);
    let transport = move |_: &Request| {
        let _ = held.lock().unwrap().recv();
        Err(TransportError::Other("too late".into()))
    };
    let options = Options { transport: Some(Arc::new(transport)), ..customer.options() };
    let license = License::new(Options { timeout: Duration::from_millis(50), ..options }).unwrap();
    let start = Instant::now();
    assert_eq!(license.activate("a key").unwrap_err().code(), "timeout");
    assert!(start.elapsed() < LONG);
    drop(release);
}

#[test]
fn a_transport_that_panics_is_no_response() {
    let customer = Customer::new("panic");
    let license = customer.with(|_| panic!("of the transport"));
    assert_eq!(license.activate("a key").unwrap_err().code(), "no_response");
}

#[test]
fn a_transport_says_that_a_server_is_untrusted() {
    let customer = Customer::new("untrusted");
    let license = customer.with(|_| Err(TransportError::Untrusted("self-signed".into())));
    let error = license.activate("a key").unwrap_err();
    assert_eq!((error.code(), error.to_string().contains("identity")), ("untrusted_server", true));
    assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "self-signed");
}

#[test]
fn a_transport_can_change_the_request() {
    let customer = Customer::new("body");
    let certificate = customer.certificate();
    let good = active(&certificate);
    let large = Response { body: [good.body.clone(), vec![b' '; 65_536]].concat(), ..good.clone() };
    let informal = Response { status: 100, ..good.clone() };
    for (response, code) in [(large, "not_the_service"), (informal, "not_the_service")] {
        let license = customer.with(move |_| Ok(response.clone()));
        assert_eq!(license.activate("a key").unwrap_err().code(), code);
    }
    assert!(customer.with(move |_| Ok(good.clone())).activate("a key").unwrap().is_valid());
}

#[test]
fn concurrent_threads_and_licenses_lose_no_change() {
    let customer = Customer::new("threads");
    let certificate = customer.certificate();
    let shared = Arc::new(License::new(customer.options()).unwrap());
    thread::scope(|scope| {
        for round in 0..8 {
            let shared = Arc::clone(&shared);
            let own = License::new(customer.options()).unwrap();
            let certificate = &certificate;
            scope.spawn(move || {
                let license = if round % 2 == 0 { &*shared } else { &own };
                for _ in 0..5 {
                    assert!(license.install(certificate).unwrap().is_valid());
                    assert!(license.status().is_valid());
                }
            });
        }
    });
    assert_eq!(fs::read_dir(&customer.folder).unwrap().count(), 1);
}

#[test]
fn the_lock_of_a_killed_process_is_removed_after_two_seconds() {
    let customer = Customer::new("lock");
    let certificate = customer.certificate();
    let lock = customer.folder.join("license.lock");
    fs::write(&lock, "of a killed process").unwrap();
    let start = Instant::now();
    let license = License::new(customer.options()).unwrap();
    assert!(license.install(&certificate).unwrap().is_valid());
    assert!(start.elapsed() > Duration::from_secs(2));
    assert!(!lock.exists());
}

#[test]
fn a_folder_that_is_a_file_is_an_error_with_a_cause() {
    let customer = Customer::new("file");
    fs::create_dir_all(&customer.folder).unwrap();
    let folder = customer.folder.join("file");
    fs::write(&folder, "").unwrap();
    let license = License::new(Options { folder: folder.clone(), ..customer.options() }).unwrap();
    let error = license.activate("a key").unwrap_err();
    assert_eq!(error.code(), "folder");
    assert!(error.message().contains(&folder.display().to_string()), "{error}");
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn a_license_stays_valid_in_a_read_only_folder_which_a_failed_request_reports() {
    let customer = Customer::new("read-only");
    let good = active(&customer.certificate());
    customer.with(move |_| Ok(good.clone())).activate("a key").unwrap();
    let state_file = customer.state_file();
    // A temporary file that even root cannot remove.
    fs::create_dir(state_file.with_extension("json.folder")).unwrap();
    let before = fs::read(&state_file).unwrap();
    let license = customer.with(|_| Err(TransportError::Other("no network".into())));
    let status = license.refresh();
    assert_eq!((status.state, status.reason.unwrap().as_str()), (State::Valid, "no_response"));
    assert_eq!(license.activate("a key").unwrap_err().code(), "folder");
    assert_eq!(fs::read(&state_file).unwrap(), before);
}

#[test]
fn the_timeout_has_limits() {
    let customer = Customer::new("options");
    for (timeout, is_right) in [(0, false), (1, true), (600_000, true), (600_001, false)] {
        let timeout = Duration::from_millis(timeout);
        assert_eq!(License::new(Options { timeout, ..customer.options() }).is_ok(), is_right, "{timeout:?}");
    }
    let error =
        License::new(Options { folder: Path::new("state").into(), ..customer.options() }).err().unwrap();
    assert_eq!(error.to_string(), "folder must be an absolute path.");
}

#[test]
fn keep_fresh_reports_the_first_status_and_ends_when_it_is_dropped() {
    let customer = Customer::new("fresh");
    let certificate = customer.certificate();
    let requests = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&requests);
    let license = Arc::new(customer.with(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok(active(&certificate))
    }));
    license.activate("a key").unwrap();
    let (sender, receiver) = mpsc::channel();
    let fresh = license.keep_fresh(move |status| sender.send(status.state).unwrap());
    assert_eq!(receiver.recv_timeout(LONG), Ok(State::Valid));
    assert_eq!(requests.load(Ordering::SeqCst), 2);
    fresh.stop();
    // The thread has dropped its sender.
    assert_eq!(receiver.recv_timeout(LONG), Err(mpsc::RecvTimeoutError::Disconnected));
}
