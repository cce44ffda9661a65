use crate::base64url;
use crate::error::LicenseError;
use crate::hash::sha256;
use crate::json::Json;
use ed25519_dalek::{Signature, VerifyingKey};

/// The public keys built into the program, by their RFC 7638 thumbprints.
pub struct SigningKeys(Vec<(String, VerifyingKey)>);

impl SigningKeys {
    /// Imports JWKs, each as JSON text. An error names the key by its position.
    pub fn import(jwks: &[String]) -> Result<Self, LicenseError> {
        if jwks.is_empty() {
            return Err(LicenseError::option("keys must be a list of at least one public JWK."));
        }
        let mut keys = Self(Vec::new());
        for (index, jwk) in jwks.iter().enumerate() {
            let (thumbprint, key) = import_key(jwk)
                .map_err(|problem| LicenseError::option(format!("keys[{index}] {problem}")))?;
            if keys.find(&thumbprint).is_some() {
                let message = format!("keys[{index}] repeats an earlier key.");
                return Err(LicenseError::option(message));
            }
            keys.0.push((thumbprint, key));
        }
        Ok(keys)
    }

    pub fn find(&self, thumbprint: &str) -> Option<&VerifyingKey> {
        self.0.iter().find(|(other, _)| other == thumbprint).map(|(_, key)| key)
    }
}

/// Whether a 64-byte signature with S below the group order is valid.
pub fn is_signed(key: &VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
    Signature::from_slice(signature).is_ok_and(|signature| key.verify_strict(message, &signature).is_ok())
}

fn import_key(jwk: &str) -> Result<(String, VerifyingKey), &'static str> {
    const WRONG: &str = "must be a public Ed25519 key as a JWK: kty OKP, crv Ed25519, x.";
    let jwk = Json::parse(jwk.as_bytes()).ok_or(WRONG)?;
    if jwk.get("d").is_some() {
        return Err("is a private key. Never ship private keys, and rotate this one.");
    }
    let member = |name| jwk.get(name).and_then(Json::text);
    if member("kty") != Some("OKP") || member("crv") != Some("Ed25519") {
        return Err(WRONG);
    }
    let x = member("x").ok_or(WRONG)?;
    let point = base64url::decode(x).and_then(|bytes| bytes.try_into().ok()).ok_or(WRONG)?;
    let key = VerifyingKey::from_bytes(&point).map_err(|_| WRONG)?;
    // A signature made with a key of small order proves nothing.
    if key.is_weak() || !is_reduced(&point) {
        return Err(WRONG);
    }
    // RFC 7638: the required members in alphabetical order, without whitespace.
    let members = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
    Ok((base64url::encode(&sha256(&members)), key))
}

/// Whether the coordinate is below 2^255 - 19, ignoring the sign of the other one in the highest bit.
fn is_reduced(point: &[u8; 32]) -> bool {
    let [lowest, middle @ .., highest] = point;
    *lowest < 0xed || highest & 0x7f < 0x7f || middle.iter().any(|byte| *byte < 0xff)
}
