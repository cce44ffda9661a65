//! JSON as the format defines it, which is stricter than RFC 8259 because parsers differ between languages.

use serde_core::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

const MAX_DEPTH: usize = 64;
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    /// The nearest double; infinite for `1e400`.
    Number(f64),
    Text(String),
    List(Vec<Json>),
    /// In order, including repeated ones.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses UTF-8 JSON. `None` for anything else, including a byte order mark, a lone surrogate, and more than 64 levels of
    /// nesting.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        // A raw value keeps a number as its text: serde_json rejects 1e400.
        convert(serde_json::from_str(text).ok()?, 0)
    }

    /// A member of an object. If a claim is repeated, the last one counts (RFC 7519, section 4).
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().rev().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The integer that a number such as `1.8e9` represents, if it is from 0 to 2^53 - 1.
    pub fn integer(&self) -> Option<u64> {
        match self {
            Self::Number(number) if number.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER).contains(number) => {
                Some(*number as u64)
            }
            _ => None,
        }
    }

    /// The texts in a list that contains nothing else.
    pub fn texts(&self) -> Option<Vec<String>> {
        let Self::List(items) = self else { return None };
        items.iter().map(|item| item.text().map(str::to_owned)).collect()
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<u64> for Json {
    fn from(number: u64) -> Self {
        Self::Number(number as f64)
    }
}

impl From<Option<&str>> for Json {
    fn from(text: Option<&str>) -> Self {
        text.map_or(Self::Null, Self::from)
    }
}

/// An object with these members.
pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
    Json::Object(members.map(|(name, value)| (name.to_owned(), value)).into())
}

impl fmt::Display for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => formatter.write_str("null"),
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Text(text) => write_text(formatter, text),
            Self::List(items) => {
                formatter.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(formatter, "{}{item}", separator(index))?;
                }
                formatter.write_str("]")
            }
            Self::Object(members) => {
                formatter.write_str("{")?;
                for (index, (name, value)) in members.iter().enumerate() {
                    formatter.write_str(separator(index))?;
                    write_text(formatter, name)?;
                    write!(formatter, ":{value}")?;
                }
                formatter.write_str("}")
            }
        }
    }
}

fn separator(index: usize) -> &'static str {
    if index == 0 { "" } else { "," }
}

fn write_text(formatter: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let quoted = serde_json::to_string(text).map_err(|_| fmt::Error)?;
    formatter.write_str(&quoted)
}

fn convert(raw: &RawValue, depth: usize) -> Option<Json> {
    let text = raw.get();
    let is_nested = text.starts_with(['[', '{']);
    if is_nested && depth == MAX_DEPTH {
        return None;
    }
    Some(match text.as_bytes().first()? {
        b'{' => Json::Object(
            members_of(text)?
                .into_iter()
                .map(|(name, value)| Some((name, convert(value, depth + 1)?)))
                .collect::<Option<_>>()?,
        ),
        b'[' => Json::List(
            serde_json::from_str::<Vec<&RawValue>>(text)
                .ok()?
                .into_iter()
                .map(|item| convert(item, depth + 1))
                .collect::<Option<_>>()?,
        ),
        b'"' => Json::Text(serde_json::from_str(text).ok()?),
        b'n' => Json::Null,
        b't' => Json::Bool(true),
        b'f' => Json::Bool(false),
        _ => Json::Number(text.parse().ok()?),
    })
}

fn members_of(text: &str) -> Option<Vec<(String, &RawValue)>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.deserialize_map(Members).ok()
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<Map: MapAccess<'de>>(self, mut map: Map) -> Result<Self::Value, Map::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::{Json, object};

    #[test]
    fn rejects_invalid_json_that_other_parsers_accept() {
        let wrong: [&[u8]; 12] = [
            b"",
            b"\xef\xbb\xbf{}",
            b"{} x",
            b"[1,]",
            b"{\"a\":1,}",
            b"NaN",
            b"01",
            b"'a'",
            b"// a\n1",
            b"\"\xff\"",
            br#""\ud800""#,
            br#"{"\udc00":1}"#,
        ];
        for bytes in wrong {
            assert_eq!(Json::parse(bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn the_65th_level_is_rejected() {
        let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(Json::parse(nested(64).as_bytes()).is_some());
        assert_eq!(Json::parse(nested(65).as_bytes()), None);
        assert_eq!(Json::parse("[".repeat(60_000).as_bytes()), None);
    }

    #[test]
    fn numbers_are_the_nearest_doubles() {
        let integer = |text: &str| Json::parse(text.as_bytes()).unwrap().integer();
        assert_eq!(integer("1.8e9"), Some(1_800_000_000));
        assert_eq!(integer("9007199254740991"), Some(9_007_199_254_740_991));
        for text in ["1e400", "-1", "0.5", "9007199254740992", "true", "\"1\"", "null"] {
            assert_eq!(integer(text), None, "{text}");
        }
    }

    #[test]
    fn the_last_of_repeated_members_counts() {
        let value = Json::parse(br#"{"a":1,"\u0061":2}"#).unwrap();
        assert_eq!(value.get("a").unwrap().integer(), Some(2));
    }

    #[test]
    fn reads_what_it_writes() {
        let value = object([
            ("null", Json::Null),
            ("text", "a\"\\\n\u{0}é💻".into()),
            ("list", Json::List(vec![Json::Bool(true), 9_007_199_254_740_991.into()])),
        ]);
        assert_eq!(Json::parse(value.to_string().as_bytes()), Some(value));
    }
}
