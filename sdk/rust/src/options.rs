use crate::certificate::Program;
use crate::client::Client;
use crate::error::LicenseError;
use crate::machine::Fingerprint;
use crate::signing_keys::SigningKeys;
use crate::timestamp::Timestamp;
use crate::transport::Transport;
use std::fmt;
use std::net::Ipv6Addr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

const MAX_TIMEOUT: Duration = Duration::from_secs(600);

/// A clock, in seconds since 1970.
#[doc(hidden)]
pub type Clock = Arc<dyn Fn() -> f64 + Send + Sync>;

/// The options of a [`License`](crate::License). Fill in the others with `..Options::default()`, because
/// later versions may add some.
#[derive(Clone)]
pub struct Options {
    /// Address of the license service: https, or http on this machine.
    pub service: String,
    /// `issuer` of `GET /signing-keys`.
    pub issuer: String,
    /// The project's product.
    pub product: String,
    /// `current` and `next` of `GET /signing-keys`, each as its JSON text.
    pub keys: Vec<String>,
    /// Absolute path of a folder that the program can write to and other users cannot read; created if it is absent.
    pub folder: PathBuf,
    /// Names this machine: 16 to 256 printable ASCII characters. By default it is derived from the system's machine id.
    pub fingerprint: Option<String>,
    /// The name that the vendor sees for this machine: 1 to 100 characters, without control characters.
    pub machine_name: Option<String>,
    /// The release date of this build, `YYYY-MM-DD`: the license must include updates until then. If
    /// absent, the build runs regardless of when updates end.
    pub released_at: Option<String>,
    /// Whether a machine without its own id may get a random one, which is stored in the folder; true by default.
    pub allow_random_id: bool,
    /// Timeout of a request, from the DNS query to the last byte of its response: more than 0 and at most
    /// 600 seconds; 5 by default.
    pub timeout: Duration,
    /// Sends the requests instead of `ureq`; required without the feature `ureq`.
    pub transport: Option<Arc<dyn Transport>>,
    #[doc(hidden)]
    pub now: Option<Clock>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            service: String::new(),
            issuer: String::new(),
            product: String::new(),
            keys: Vec::new(),
            folder: PathBuf::new(),
            fingerprint: None,
            machine_name: None,
            released_at: None,
            allow_random_id: true,
            timeout: Duration::from_secs(5),
            transport: None,
            now: None,
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Options")
            .field("service", &self.service)
            .field("issuer", &self.issuer)
            .field("product", &self.product)
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

/// Valid options.
pub struct Settings {
    pub program: Program,
    pub client: Client,
    pub folder: PathBuf,
    pub fingerprint: Fingerprint,
    pub now: Clock,
}

impl Options {
    pub(crate) fn check(self) -> Result<Settings, LicenseError> {
        require(
            "service",
            is_service(&self.service),
            "an address such as https://licenses.example; http works only on this machine",
        )?;
        require("issuer", is_issuer(&self.issuer), "the issuer id from GET /signing-keys")?;
        require("product", is_product(&self.product), "the project's product")?;
        let is_path = self.folder.is_absolute() && !self.folder.as_os_str().as_encoded_bytes().contains(&0);
        require("folder", is_path, "an absolute path")?;
        require(
            "fingerprint",
            self.fingerprint.as_deref().is_none_or(is_fingerprint),
            "16 to 256 printable ASCII characters, without spaces at either end",
        )?;
        require(
            "machine_name",
            self.machine_name.as_deref().is_none_or(is_machine_name),
            "1 to 100 characters, without control characters",
        )?;
        let released_at = self.released_at.as_deref().map(Timestamp::parse_day);
        require("released_at", released_at != Some(None), "a day such as 2027-01-31")?;
        let is_timeout = !self.timeout.is_zero() && self.timeout <= MAX_TIMEOUT;
        require("timeout", is_timeout, "more than 0 and at most 600 seconds")?;
        let transport = self.transport.or_else(crate::transport::default_transport);
        let keys = SigningKeys::import(&self.keys)?;
        let client = Client {
            service: self.service.trim_end_matches('/').to_owned(),
            product: self.product.clone(),
            machine_name: self.machine_name,
            timeout: self.timeout,
            transport: transport.ok_or_else(|| {
                LicenseError::option("transport must be a transport: the feature ureq is off.")
            })?,
        };
        let fingerprint = Fingerprint {
            known: Mutex::new(self.fingerprint),
            folder: self.folder.clone(),
            product: self.product.clone(),
            allow_random_id: self.allow_random_id,
        };
        Ok(Settings {
            program: Program {
                issuer: self.issuer,
                product: self.product,
                keys,
                released_at: released_at.flatten(),
            },
            client,
            folder: self.folder,
            fingerprint,
            now: self.now.unwrap_or_else(|| Arc::new(system_clock)),
        })
    }
}

fn require(name: &str, is_right: bool, expected: &str) -> Result<(), LicenseError> {
    if is_right { Ok(()) } else { Err(LicenseError::option(format!("{name} must be {expected}."))) }
}

fn system_clock() -> f64 {
    match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => since.as_secs_f64(),
        Err(before) => -before.duration().as_secs_f64(),
    }
}

/// The same in each SDK. Stricter than URL parsers, which differ.
fn is_service(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    // In an IPv6 address, colons are inside brackets.
    let port_at = authority.rfind(':').filter(|index| !authority[*index..].contains(']'));
    let (host, port) = authority.split_at(port_at.unwrap_or(authority.len()));
    let is_here = ["localhost", "127.0.0.1", "[::1]"].iter().any(|name| host.eq_ignore_ascii_case(name));
    let is_secure = scheme.eq_ignore_ascii_case("https") && is_host(host);
    let is_local = scheme.eq_ignore_ascii_case("http") && is_here;
    (is_secure || is_local)
        && (port.is_empty() || is_port(&port[1..]))
        && path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.~!$&'()*+,;=:%/-".contains(&byte))
}

fn is_host(host: &str) -> bool {
    match host.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').is_some_and(|address| address.parse::<Ipv6Addr>().is_ok()),
        None => !host.is_empty() && host.bytes().all(is_name_character),
    }
}

fn is_port(port: &str) -> bool {
    port.starts_with(|first: char| ('1'..='9').contains(&first)) && port.parse::<u16>().is_ok()
}

fn is_issuer(text: &str) -> bool {
    (1..=128).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_product(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_alphanumeric = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    bytes.len() <= 64
        && is_alphanumeric(bytes.first())
        && is_alphanumeric(bytes.last())
        && bytes.iter().copied().all(is_name_character)
}

fn is_name_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._-".contains(&byte)
}

fn is_fingerprint(text: &str) -> bool {
    (16..=256).contains(&text.len())
        && text.trim() == text
        && text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ')
}

fn is_machine_name(text: &str) -> bool {
    (1..=100).contains(&text.chars().count()) && !text.contains(char::is_control)
}
