//! Texts that people copy, type and mail.

use crate::hash::{hex, sha256};
use crate::json::object;

/// What the vendor needs to issue a certificate for this machine, with a checksum because people may type it in.
pub fn request_text(product: &str, fingerprint: &str) -> String {
    let check = hex(&sha256(&format!("license-request:v1\n{product}\n{fingerprint}"))[..4]);
    let members = [("fingerprint", fingerprint), ("product", product), ("check", &check)];
    object(members.map(|(name, value)| (name, value.into()))).to_string()
}

/// A certificate without what mail programs and people add: line breaks, spaces, quotes, and `> ` at the
/// start of lines.
pub fn certificate_text(text: &str) -> String {
    let is_own = |character: &char| character.is_ascii_alphanumeric() || "._-".contains(*character);
    text.chars().filter(is_own).collect()
}

/// A license key without whitespace or a byte order mark around it.
pub fn key_text(key: &str) -> &str {
    key.trim_matches(|character: char| character.is_whitespace() || character == '\u{feff}')
}
