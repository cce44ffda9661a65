use crate::base64url;
use sha2::{Digest as _, Sha256};

pub fn sha256(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Base64url of the SHA-256 of lines joined by line feeds.
pub fn hash_lines(lines: &[&str]) -> String {
    base64url::encode(&sha256(&lines.join("\n")))
}

/// Lower-case hexadecimal.
pub fn hex(data: &[u8]) -> String {
    data.iter().map(|byte| format!("{byte:02x}")).collect()
}
