//! Offline license checks for shipped software.
//!
//! The program holds a certificate signed by its vendor's account and verifies it with a built-in public
//! key, so it works without a network and through outages of the license service.
//!
//! ```no_run
//! use license_management_client::{License, Options};
//!
//! # fn main() -> Result<(), license_management_client::LicenseError> {
//! let license = License::new(Options {
//!     service: "https://licenses.example".into(),
//!     issuer: "665f1c2ab7e4a90012345678".into(),
//!     product: "com.example.web-shop".into(),
//!     keys: vec![
//!         r#"{"kty":"OKP","crv":"Ed25519","x":"Nn-jlifMJNDjo3cW89XNBk2PsVfX_2wMIyXYv-Ygx8g"}"#.into(),
//!         r#"{"kty":"OKP","crv":"Ed25519","x":"RgBAj-DKXegNqjfRUGJKENCiS7B8Y5shKVYGVjqi3YU"}"#.into(),
//!     ],
//!     folder: "/var/lib/web-shop".into(),
//!     ..Options::default()
//! })?;
//! let status = license.ensure(Some("LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD"))?;
//! println!("Licensed: {}", status.is_valid());
//! # Ok(())
//! # }
//! ```

mod base64url;
mod by_hand;
mod certificate;
mod client;
mod codes;
mod command;
mod error;
mod folder_lock;
mod hash;
mod json;
mod jws;
mod keep_fresh;
mod license;
mod machine;
mod memory;
#[cfg(test)]
mod mutations;
mod options;
mod outcome;
mod random;
mod regular_file;
mod rejection;
mod reply_error;
mod signing_keys;
mod state_file;
mod status;
mod stored_state;
#[cfg(test)]
mod temporary_folder;
mod timestamp;
mod transport;
#[cfg(feature = "ureq")]
mod ureq_transport;
mod whole_file;

pub use error::LicenseError;
pub use keep_fresh::KeepFresh;
pub use license::License;
#[doc(hidden)]
pub use options::Clock;
pub use options::Options;
pub use status::{Reason, State, Status};
pub use timestamp::Timestamp;
pub use transport::{Request, Response, Transport, TransportError};

/// Compiles the programs in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
