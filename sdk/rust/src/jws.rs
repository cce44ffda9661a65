//! Compact JWS (RFC 7515) with Ed25519 (RFC 8037).

use crate::base64url;
use crate::json::Json;
use crate::signing_keys::{SigningKeys, is_signed};
use crate::status::Reason;
use ed25519_dalek::VerifyingKey;

const MAX_LENGTH: usize = 4096;

/// The claims of a JWS of this `typ` signed by one of the keys: an object, parsed only after the signature is verified.
pub fn read_jws(text: &str, typ: &str, keys: &SigningKeys) -> Result<Json, Reason> {
    if text.len() > MAX_LENGTH {
        return Err(Reason::Format);
    }
    let (signed, signature) = text.rsplit_once('.').ok_or(Reason::Format)?;
    let (header, payload) = signed.split_once('.').ok_or(Reason::Format)?;
    let decode = |part| base64url::decode(part).ok_or(Reason::Format);
    let (header, payload, signature) = (decode(header)?, decode(payload)?, decode(signature)?);
    let header = Json::parse(&header).ok_or(Reason::Format)?;
    let key = find_key(&header, typ, keys)?;
    if !is_signed(key, signed.as_bytes(), &signature) {
        return Err(Reason::Signature);
    }
    let claims = Json::parse(&payload).ok_or(Reason::Format)?;
    if matches!(claims, Json::Object(_)) { Ok(claims) } else { Err(Reason::Claims) }
}

fn find_key<'a>(header: &Json, typ: &str, keys: &'a SigningKeys) -> Result<&'a VerifyingKey, Reason> {
    // An object with three members repeats none of these three.
    let has_three = matches!(header, Json::Object(members) if members.len() == 3);
    let is = |name, expected| header.get(name).and_then(Json::text) == Some(expected);
    let kid = header.get("kid").filter(|_| has_three && is("alg", "EdDSA") && is("typ", typ));
    kid.ok_or(Reason::Header)?.text().and_then(|kid| keys.find(kid)).ok_or(Reason::Key)
}
