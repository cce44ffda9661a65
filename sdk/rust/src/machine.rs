//! Derives the fingerprint of this machine.

use crate::command::run;
use crate::error::LicenseError;
use crate::folder_lock::{FolderLock, TIMEOUT};
use crate::hash::hex;
use crate::random::random_bytes;
use crate::regular_file::read_regular_file;
use crate::whole_file::{remove_temporary, write_whole};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Placeholder ids of firmware, and the id used in documentation.
const CONSTANTS: [&str; 3] = [
    "00020003000400050006000700080009",
    "03000200040005000006000700080009",
    "0123456789abcdef0123456789abcdef",
];
/// How often to query an id before giving up.
const ATTEMPTS: usize = 3;

/// The fingerprint of this machine, derived once.
pub struct Fingerprint {
    pub known: Mutex<Option<String>>,
    pub folder: PathBuf,
    pub product: String,
    pub allow_random_id: bool,
}

impl Fingerprint {
    /// Fails like [`System::fingerprint`].
    pub fn get(&self) -> Result<String, LicenseError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fingerprint) = known.as_ref() {
            return Ok(fingerprint.clone());
        }
        let derived = System::this().fingerprint(&self.folder, &self.product, self.allow_random_id)?;
        Ok(known.insert(derived).clone())
    }
}

/// The operating system that the machine id is read from.
struct System {
    platform: &'static str,
    id_file: PathBuf,
    container_markers: Vec<PathBuf>,
    is_kubernetes: bool,
    /// Runs a command and returns its output.
    run: fn(&Path, &[&str]) -> io::Result<String>,
}

impl System {
    fn this() -> Self {
        Self {
            platform: std::env::consts::OS,
            id_file: "/etc/machine-id".into(),
            container_markers: ["/.dockerenv", "/run/.containerenv"].map(PathBuf::from).into(),
            is_kubernetes: std::env::var_os("KUBERNETES_SERVICE_HOST").is_some_and(|host| !host.is_empty()),
            run,
        }
    }

    /// HMAC-SHA-256 of the product, keyed with the machine's id, in hexadecimal. A machine without an id,
    /// and every container, gets a random id, stored in the folder.
    ///
    /// Fails with `machine_id` if the system's id is temporarily unavailable, or if it has none and a
    /// random one is not allowed; with `folder` if the stored id is damaged, or cannot be stored.
    pub fn fingerprint(
        &self,
        folder: &Path,
        product: &str,
        allow_random_id: bool,
    ) -> Result<String, LicenseError> {
        let id = match usable_id(&self.query()?) {
            Some(id) => id,
            None if allow_random_id => kept_id(folder)?,
            None => return Err(LicenseError::new("machine_id", "This machine has no unique id.")),
        };
        let mut hmac = Hmac::<Sha256>::new_from_slice(id.as_bytes()).expect("any length is a key");
        hmac.update(product.as_bytes());
        Ok(hex(&hmac.finalize().into_bytes()))
    }

    /// Replacing a temporarily unavailable id with a random one would count as another machine.
    fn query(&self) -> Result<String, LicenseError> {
        let mut result = self.id();
        for _ in 1..ATTEMPTS {
            result = result.or_else(|_| self.id());
        }
        result.map_err(|error| {
            let message = "The id of this machine cannot be read at the moment. Try again.";
            LicenseError::new("machine_id", message).caused_by(Arc::new(error))
        })
    }

    /// The id of the system, or a text that is not an id.
    fn id(&self) -> io::Result<String> {
        match self.platform {
            "macos" => self.mac_id(),
            "windows" => self.windows_id(),
            // The id inside a container belongs to its image: all its containers share it.
            "linux" if self.is_container() => Ok(String::new()),
            _ => self.unix_id(),
        }
    }

    fn is_container(&self) -> bool {
        self.is_kubernetes || self.container_markers.iter().any(|marker| marker.exists())
    }

    fn unix_id(&self) -> io::Result<String> {
        let id = match fs::read(&self.id_file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
            result => String::from_utf8_lossy(&result?).into_owned(),
        };
        if id.trim() == "uninitialized" {
            // The system's first start, before the id is written.
            return Err(io::Error::other("the system has not been set up yet"));
        }
        Ok(id)
    }

    fn mac_id(&self) -> io::Result<String> {
        let device = (self.run)(Path::new("/usr/sbin/ioreg"), &["-rd1", "-c", "IOPlatformExpertDevice"])?;
        let entry = device.split_once(r#""IOPlatformUUID" = ""#);
        let id = entry.and_then(|(_, rest)| rest.split_once('"'));
        printed_id(id.map(|(id, _)| id))
    }

    fn windows_id(&self) -> io::Result<String> {
        let root = std::env::var_os("SystemRoot").unwrap_or_else(|| r"C:\Windows".into());
        let command = Path::new(&root).join("System32").join("reg.exe");
        let key = r"HKLM\SOFTWARE\Microsoft\Cryptography";
        let entry = (self.run)(&command, &["query", key, "/v", "MachineGuid", "/reg:64"])?;
        let id = entry.split_once("REG_SZ").and_then(|(_, rest)| rest.split_whitespace().next());
        printed_id(id)
    }
}

/// A command without output has failed.
fn printed_id(id: Option<&str>) -> io::Result<String> {
    id.map(str::to_owned).ok_or_else(|| io::Error::other("the command has printed no id"))
}

fn usable_id(text: &str) -> Option<String> {
    let id = text.trim().to_ascii_lowercase().replace('-', "");
    let is_hexadecimal = id.len() == 32 && id.bytes().all(|digit| digit.is_ascii_hexdigit());
    let mut digits = id.clone().into_bytes();
    digits.sort_unstable();
    digits.dedup();
    (is_hexadecimal && digits.len() > 2 && !CONSTANTS.contains(&id.as_str())).then_some(id)
}

fn kept_id(folder: &Path) -> Result<String, LicenseError> {
    let file = folder.join("machine-id");
    let id = read_or_create_id(folder, &file).map_err(|error| LicenseError::folder(folder, error))?;
    usable_id(&id).ok_or_else(|| {
        let message = format!("The file {} is damaged. Restore or delete it.", file.display());
        LicenseError::new("folder", message)
    })
}

fn read_or_create_id(folder: &Path, file: &Path) -> io::Result<String> {
    if !file.exists() {
        let lock = FolderLock::acquire(folder, TIMEOUT)?;
        remove_temporary(file)?;
        // If two processes start at the same time, both use the id of the first.
        if !file.exists() {
            write_whole(file, hex(&random_bytes()?).as_bytes(), |temporary| {
                lock.require()?;
                fs::rename(temporary, file)
            })?;
        }
    }
    Ok(String::from_utf8_lossy(&read_regular_file(file)?.unwrap_or_default()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{CONSTANTS, System, usable_id};
    use crate::temporary_folder::TemporaryFolder;
    use std::fs;
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const ID: &str = "4c4c4544004b351080484c4f44334a32";
    /// HMAC-SHA-256 of the product, keyed with this id.
    const FINGERPRINT: &str = "86a1011cdfa5a87797e82dfc10390ba88ff3c8080f6bca58033eae37df1a5487";

    fn system(folder: &TemporaryFolder) -> System {
        System {
            platform: "linux",
            id_file: folder.path("etc-machine-id"),
            container_markers: vec![folder.path("marker")],
            is_kubernetes: false,
            run: |_, _| Err(io::Error::other("no command")),
        }
    }

    fn fingerprint(system: &System, folder: &TemporaryFolder) -> Result<String, String> {
        let product = "com.example.web-shop";
        system.fingerprint(&folder.path("state"), product, true).map_err(|error| error.code().to_owned())
    }

    #[test]
    fn the_fingerprint_is_an_hmac_of_the_product_keyed_with_the_system_id() {
        let folder = TemporaryFolder::new();
        let linux = system(&folder);
        fs::write(&linux.id_file, format!("{ID}\n")).unwrap();
        let mac = System {
            platform: "macos",
            run: |_, _| Ok("  \"IOPlatformUUID\" = \"4C4C4544-004B-3510-8048-4C4F44334A32\"\n".to_owned()),
            ..system(&folder)
        };
        let windows = System {
            platform: "windows",
            run: |_, _| Ok("  MachineGuid    REG_SZ    4c4c4544-004b-3510-8048-4c4f44334a32\r\n".to_owned()),
            ..system(&folder)
        };
        for system in [linux, mac, windows] {
            assert_eq!(fingerprint(&system, &folder).as_deref(), Ok(FINGERPRINT), "{}", system.platform);
        }
        assert!(!folder.path("state").exists());
    }

    #[test]
    fn a_container_and_a_machine_without_an_id_keep_a_random_id() {
        let folder = TemporaryFolder::new();
        let bare = system(&folder);
        let random = fingerprint(&bare, &folder).unwrap();
        let kept = fs::read_to_string(folder.path("state").join("machine-id")).unwrap();
        assert_eq!(usable_id(&kept), Some(kept.clone()));
        fs::write(&bare.id_file, ID).unwrap();
        assert_ne!(fingerprint(&bare, &folder), Ok(random.clone()));
        let kubernetes = System { is_kubernetes: true, ..system(&folder) };
        assert_eq!(fingerprint(&kubernetes, &folder), Ok(random.clone()));
        fs::write(&bare.container_markers[0], "").unwrap();
        assert_eq!(fingerprint(&bare, &folder), Ok(random));
    }

    #[test]
    fn a_random_id_needs_permission_and_a_damaged_one_is_reported() {
        let folder = TemporaryFolder::new();
        let state = folder.path("state");
        let error = system(&folder).fingerprint(&state, "a", false).unwrap_err();
        assert_eq!(error.code(), "machine_id");
        assert!(!state.exists());
        fs::create_dir(&state).unwrap();
        fs::write(state.join("machine-id"), "damaged").unwrap();
        assert_eq!(fingerprint(&system(&folder), &folder), Err("folder".to_owned()));
    }

    #[test]
    fn a_failed_query_is_repeated_twice_and_never_replaced_by_a_random_id() {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let folder = TemporaryFolder::new();
        let run = |_: &_, _: &[&str]| {
            CALLS.fetch_add(1, Ordering::SeqCst);
            Err(io::Error::other("busy"))
        };
        let mac = System { platform: "macos", run, ..system(&folder) };
        assert_eq!(fingerprint(&mac, &folder), Err("machine_id".to_owned()));
        assert_eq!(CALLS.load(Ordering::SeqCst), 3);
        for platform in ["macos", "windows"] {
            let silent = System { platform, run: |_, _| Ok("another entry".to_owned()), ..system(&folder) };
            assert_eq!(fingerprint(&silent, &folder), Err("machine_id".to_owned()), "{platform}");
        }
        let linux = system(&folder);
        fs::write(&linux.id_file, "uninitialized\n").unwrap();
        assert_eq!(fingerprint(&linux, &folder), Err("machine_id".to_owned()));
        assert!(!folder.path("state").exists());
    }

    #[test]
    fn ids_shared_by_many_machines_do_not_count() {
        let dashed =
            ["", "00000000-0000-0000-0000-000000000000", "a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0", "not an id"];
        for id in CONSTANTS.into_iter().chain(dashed) {
            assert_eq!(usable_id(id), None, "{id}");
        }
    }
}
