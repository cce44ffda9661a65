//! Mutates certificates at random from a fixed seed, for one second or `FUZZ_SECONDS`.

use crate::base64url;
use crate::certificate::{Certificate, Program};
use crate::json::Json;
use crate::signing_keys::SigningKeys;
use crate::status::State;
use ed25519_dalek::{Signer as _, SigningKey};
use serde_json::Value;
use std::env;
use std::fs;
use std::time::{Duration, Instant};

const FINGERPRINT: &str = "0b6f3f3e2c1d4a58917e6c5d4b3a29180f1e2d3c4b5a69788796a5b4c3d2e1f0";
/// Pieces that parsers treat differently.
const PIECES: [&str; 24] = [
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    ".",
    "=",
    "-",
    "+",
    "\0",
    "\u{feff}",
    "null",
    "true",
    "1e400",
    "-0",
    "\\ud800",
    "\"iat\":0,",
    "\"license\":{},",
    "9007199254740993",
    "[[[[[[[[",
    "NaN",
];

/// A generator of random numbers: xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }

    /// Changes some bytes, and inserts, removes and repeats others.
    fn mutate(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut mutated = bytes.to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(mutated.len() + 1);
            let end = (at + self.below(8)).min(mutated.len());
            match self.below(5) {
                0 => drop(mutated.drain(at..end)),
                1 => drop(mutated.splice(at..at, PIECES[self.below(PIECES.len())].bytes())),
                2 => drop(mutated.splice(at..at, mutated[at..end].to_vec())),
                3 if at < mutated.len() => mutated[at] ^= 1 << self.below(8),
                _ if at < mutated.len() => mutated[at] = self.below(256) as u8,
                _ => mutated.push(self.below(256) as u8),
            }
        }
        mutated
    }
}

/// The certificates of the scenarios, and the key that signed them.
struct Samples {
    program: Program,
    signing_key: SigningKey,
    certificates: Vec<String>,
}

fn samples() -> Samples {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios.json");
    let scenarios = Json::parse(&fs::read(path).unwrap()).unwrap();
    let given = scenarios.get("program").unwrap();
    let text = |value: &Json, name| value.get(name).unwrap().text().unwrap().to_owned();
    let Some(Json::List(keys)) = given.get("keys") else { panic!("no keys") };
    let Some(Json::Object(signing_keys)) = scenarios.get("signingKeys") else { panic!("no signing keys") };
    let Some(Json::Object(certificates)) = scenarios.get("certificates") else { panic!("no certificates") };
    let x = text(&keys[0], "x");
    let (_, private) = signing_keys.iter().find(|(_, key)| text(key, "x") == x).unwrap();
    let d = base64url::decode(&text(private, "d")).unwrap();
    let program = Program {
        issuer: text(given, "issuer"),
        product: text(given, "product"),
        keys: SigningKeys::import(&keys.iter().map(Json::to_string).collect::<Vec<_>>()).unwrap(),
        released_at: None,
    };
    let texts = certificates.iter().filter_map(|(_, certificate)| certificate.text().map(str::to_owned));
    let certificates: Vec<_> =
        texts.filter(|text| Certificate::read(text, &program, FINGERPRINT).is_ok()).collect();
    assert!(certificates.len() > 10, "{} certificates", certificates.len());
    Samples { program, signing_key: SigningKey::from_bytes(&d.try_into().unwrap()), certificates }
}

fn for_some_time(mut round: impl FnMut(&mut Random)) {
    let seconds = env::var("FUZZ_SECONDS").map_or(1, |text| text.parse().expect("seconds"));
    let (start, mut random) = (Instant::now(), Random(0x9E37_79B9_7F4A_7C15));
    while start.elapsed() < Duration::from_secs(seconds) {
        round(&mut random);
    }
}

#[test]
fn any_change_damages_a_certificate() {
    let Samples { program, certificates, .. } = samples();
    for_some_time(|random| {
        let certificate = &certificates[random.below(certificates.len())];
        let text = String::from_utf8_lossy(&random.mutate(certificate.as_bytes())).into_owned();
        if certificates.contains(&text) {
            return;
        }
        let state = Certificate::read(&text, &program, FINGERPRINT).map_err(|untrusted| untrusted.state);
        assert_eq!(state.err(), Some(State::Damaged), "{text:?}");
    });
}

#[test]
fn signed_claims_are_read_like_another_parser_reads_them() {
    let Samples { program, signing_key, certificates } = samples();
    let mut accepted = 0;
    for_some_time(|random| {
        let certificate = &certificates[random.below(certificates.len())];
        let parts: Vec<_> = certificate.split('.').collect();
        let [header, payload] = [0, 1].map(|part| base64url::decode(parts[part]).unwrap());
        // Rarely the header, because few changes to it are accepted.
        let header = if random.below(8) == 0 { random.mutate(&header) } else { header };
        let payload = random.mutate(&payload);
        let signed = format!("{}.{}", base64url::encode(&header), base64url::encode(&payload));
        let signature = base64url::encode(&signing_key.sign(signed.as_bytes()).to_bytes());
        let text = format!("{signed}.{signature}");
        if let Ok(certificate) = Certificate::read(&text, &program, FINGERPRINT) {
            accepted += 1;
            expect_same(&certificate, &payload, &program);
        }
    });
    assert!(accepted > 10, "{accepted} accepted");
}

fn expect_same(certificate: &Certificate, payload: &[u8], program: &Program) {
    let text = String::from_utf8(payload.to_vec()).unwrap();
    let claims: Value = match serde_json::from_str(&text) {
        Ok(claims) => claims,
        // It has no number beyond the range of doubles.
        Err(error) => {
            return assert!(error.to_string().starts_with("number out of range"), "{error}: {text}");
        }
    };
    assert_eq!(claims["iss"], program.issuer, "{text}");
    assert_eq!(claims["aud"], program.product, "{text}");
    assert_eq!(claims["sub"], certificate.license_id, "{text}");
    assert_eq!(claims["iat"].as_f64(), Some(certificate.issued_at as f64), "{text}");
    assert_eq!(claims["exp"].as_f64(), Some(certificate.expires_at as f64), "{text}");
    assert_eq!(claims["license"]["services"], Value::from(certificate.services.clone()), "{text}");
}
