//! Base64url without padding (RFC 4648), only in its canonical form.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub fn encode(data: &[u8]) -> String {
    let mut text = String::with_capacity(data.len().div_ceil(3) * 4);
    for chunk in data.chunks(3) {
        let bits = chunk
            .iter()
            .enumerate()
            .fold(0u32, |bits, (index, byte)| bits | u32::from(*byte) << (16 - 8 * index));
        for index in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(bits >> (18 - 6 * index) & 63) as usize]));
        }
    }
    text
}

/// `None` for padding, for any other character, and for unused bits that are not zero.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut data = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0u32;
        for (index, character) in chunk.iter().enumerate() {
            bits |= value_of(*character)? << (18 - 6 * index);
        }
        let bytes = bits.to_be_bytes();
        // A single character encodes no byte.
        let length = chunk.len().checked_sub(1).filter(|length| *length > 0)?;
        if bytes[1 + length..].iter().any(|byte| *byte != 0) {
            return None;
        }
        data.extend_from_slice(&bytes[1..=length]);
    }
    Some(data)
}

fn value_of(character: u8) -> Option<u32> {
    let value = match character {
        b'A'..=b'Z' => character - b'A',
        b'a'..=b'z' => character - b'a' + 26,
        b'0'..=b'9' => character - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn every_length_survives_a_round_trip() {
        for length in 0..10u8 {
            let data: Vec<u8> = (0..length).map(|byte| byte.wrapping_mul(83)).collect();
            assert_eq!(decode(&encode(&data)), Some(data));
        }
    }

    #[test]
    fn texts_that_are_not_canonical_are_rejected() {
        for text in ["A", "AA=", "AA==", "AB", "AAB", "AA+_", "AA/A", "AA A", "AA\n", "ÄA"] {
            assert_eq!(decode(text), None, "{text:?}");
        }
    }
}
