//! Signed rejections: only a signed proof from the vendor's service ends a license.

use crate::certificate::Program;
use crate::json::Json;
use crate::jws::read_jws;
use crate::status::Rejection;

/// What the service sent with a rejection.
#[derive(Debug)]
pub struct Proof {
    /// The signed statement, not verified yet.
    pub text: Option<String>,
    /// The nonce is the request's nonce.
    pub nonce: String,
}

impl Proof {
    /// When the service signed this rejection, in seconds since 1970; `None` if it did not.
    ///
    /// `license_id` is from the stored certificate, if there is one.
    pub fn signed_at(
        &self,
        rejection: Rejection,
        program: &Program,
        fingerprint: &str,
        license_id: Option<&str>,
    ) -> Option<u64> {
        let claims = read_jws(self.text.as_ref()?, "license-rejection+jwt", &program.keys).ok()?;
        let claim = |name| claims.get(name).and_then(Json::text);
        let license = claim("sub")?;
        let issued_at = claims.get("iat")?.integer()?;
        // The owner of another rejected license could have had it signed for this machine.
        let is_of_license = license_id.is_none_or(|id| id == license);
        let is_proof = is_of_license
            && claim("iss") == Some(&program.issuer)
            && claim("aud") == Some(&program.product)
            && claim("nonce") == Some(&self.nonce)
            && claim("machine") == Some(&program.machine(license, fingerprint))
            && claim("status") == Some(rejection.status());
        is_proof.then_some(issued_at)
    }
}
