//! A YAML document as a tree in which every key and value has its place.
//!
//! Files that people write are read twice: first as this tree, then by their meaning. So a fault of meaning names line and
//! column, too. Nothing here knows what a document means.

mod front_matter;
mod limits;
mod nearest;

pub use front_matter::{Loose, front_matter, read_loosely};
pub use nearest::{nearest, nearest_above, nearest_few};

use limits::{DEPTH_MAX, NODES_MAX, STACK_BYTES, TEXT_BYTES_MAX};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use serde_saphyr::Spanned;
use std::fmt;
use std::sync::Arc;

/// A place in a file; lines and columns count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub file: Arc<str>,
    pub line: u64,
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A value and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub place: Place,
    pub data: Data,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Data {
    Null,
    Flag(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    /// In the order in which the entries are written.
    Map(Vec<Entry>),
}

/// A key with its place, and the value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub key: String,
    pub place: Place,
    pub value: Node,
}

impl Node {
    /// The value of a key, where this is a map that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries()
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| &entry.value)
    }

    /// The entries of a map; none of anything else.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.data {
            Data::Map(entries) => entries,
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::Text(_) | Data::List(_) => &[],
        }
    }

    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            Data::Null | Data::Flag(_) | Data::Number(_) | Data::List(_) | Data::Map(_) => None,
        }
    }

    /// The same as JSON, without its places.
    #[must_use]
    pub fn json(&self) -> Value {
        match &self.data {
            Data::Null => Value::Null,
            Data::Flag(flag) => Value::Bool(*flag),
            Data::Number(number) => Value::Number(number.clone()),
            Data::Text(text) => Value::String(text.clone()),
            Data::List(nodes) => nodes.iter().map(Self::json).collect(),
            Data::Map(entries) => {
                let pairs = entries
                    .iter()
                    .map(|entry| (entry.key.clone(), entry.value.json()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }
}

/// Why a text is no YAML, and where.
#[derive(Debug)]
pub struct Malformed {
    pub place: Place,
    pub why: String,
    /// The key that stands there for the second time, where that is why.
    pub twice: Option<String>,
    /// Whether a second document begins in the same text.
    pub has_more: bool,
}

/// The bytes of a file as text, without the mark that some editors begin files with.
///
/// # Errors
/// The place of the first byte that is no text.
pub fn text<'a>(file: &Arc<str>, bytes: &'a [u8]) -> Result<&'a str, Place> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        at(file, 1 + lines as u64, 1)
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Reads one document, on a thread whose stack holds the deepest one.
///
/// # Errors
/// A text that is no YAML, has two equal keys, or goes beyond the bounds.
pub fn read(file: &Arc<str>, text: &str) -> Result<Node, Malformed> {
    let broken = |why: String| Malformed {
        place: at(file, 1, 1),
        why,
        twice: None,
        has_more: false,
    };
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK_BYTES);
        let reading = reader.spawn_scoped(scope, || parsed(file, text));
        let reading = reading.map_err(|cause| broken(cause.to_string()))?;
        let read = reading.join();
        read.unwrap_or_else(|_| Err(broken("the reader broke off".to_owned())))
    })
}

fn parsed(file: &Arc<str>, text: &str) -> Result<Node, Malformed> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH_MAX,
            max_nodes: NODES_MAX,
            max_documents: 1,
            max_total_scalar_bytes: TEXT_BYTES_MAX,
        },
        // As in YAML 1.2: `no` and `010` are texts. Other readers make a truth and an octal number of them.
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        with_snippet: false,
    };
    let read: Result<Option<Spanned<Raw>>, _> = serde_saphyr::from_str_with_options(text, options);
    match read {
        Ok(Some(raw)) => Ok(placed(raw, file)),
        Ok(None) => Ok(Node {
            place: at(file, 1, 1),
            data: Data::Null,
        }),
        Err(error) => {
            let location = error.location();
            let (line, column) = location.map_or((1, 1), |place| (place.line(), place.column()));
            Err(Malformed {
                place: at(file, line, column),
                why: told(&error),
                twice: twice(&error),
                has_more: bound(&error).is_some_and(|bound| bound == Bound::Documents),
            })
        }
    }
}

/// The first line of the reader's own words, without the place that stands in front of it anyway.
fn told(error: &serde_saphyr::Error) -> String {
    if let Some(bound) = bound(error) {
        return bound.sentence().to_owned();
    }
    let whole = error.without_snippet().to_string();
    let first = whole.lines().next().unwrap_or_default();
    let mark = first.rfind(" at line ");
    mark.map_or(first, |mark| &first[..mark]).trim().to_owned()
}

/// A bound that a text goes beyond. The reader itself names it as a debugger does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Documents,
    Depth,
    Size,
}

impl Bound {
    fn sentence(self) -> &'static str {
        match self {
            Self::Documents => "it holds more than one document, parted by a line of ---",
            Self::Depth => "it is nested too deeply",
            Self::Size => "it holds more than is read of one file",
        }
    }
}

fn bound(error: &serde_saphyr::Error) -> Option<Bound> {
    let serde_saphyr::Error::Budget { breach, .. } = error.without_snippet() else {
        return None;
    };
    let breach = format!("{breach:?}");
    Some(match breach.split(' ').next() {
        Some("Documents") => Bound::Documents,
        Some("Depth") => Bound::Depth,
        // This one is no bound.
        Some("SequenceUnbalanced") => return None,
        Some(_) | None => Bound::Size,
    })
}

fn twice(error: &serde_saphyr::Error) -> Option<String> {
    match error.without_snippet() {
        serde_saphyr::Error::DuplicateMappingKey { key, .. } => key.clone(),
        _ => None,
    }
}

fn at(file: &Arc<str>, line: u64, column: u64) -> Place {
    Place {
        file: Arc::clone(file),
        line: line.max(1),
        column: column.max(1),
    }
}

fn placed(raw: Spanned<Raw>, file: &Arc<str>) -> Node {
    let place = at(file, raw.referenced.line(), raw.referenced.column());
    let data = match raw.value {
        Raw::Null => Data::Null,
        Raw::Flag(flag) => Data::Flag(flag),
        Raw::Number(number) => Data::Number(number),
        Raw::Text(text) => Data::Text(text),
        Raw::List(items) => Data::List(items.into_iter().map(|item| placed(item, file)).collect()),
        Raw::Map(pairs) => {
            let entries = pairs.into_iter().map(|(key, value)| Entry {
                place: at(file, key.referenced.line(), key.referenced.column()),
                key: key.value,
                value: placed(value, file),
            });
            Data::Map(entries.collect())
        }
    };
    Node { place, data }
}

/// A value as the library hands it over.
enum Raw {
    Null,
    Flag(bool),
    Number(Number),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Raw;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Raw, E> {
        Ok(Raw::Flag(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Raw, E> {
        Ok(Raw::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Raw, E> {
        Ok(Raw::Number(number.into()))
    }

    fn visit_i128<E: serde::de::Error>(self, number: i128) -> Result<Raw, E> {
        Number::from_i128(number)
            .map(Raw::Number)
            .ok_or_else(|| E::custom("the number is too large"))
    }

    fn visit_u128<E: serde::de::Error>(self, number: u128) -> Result<Raw, E> {
        Number::from_u128(number)
            .map(Raw::Number)
            .ok_or_else(|| E::custom("the number is too large"))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Raw, E> {
        Number::from_f64(number)
            .map(Raw::Number)
            .ok_or_else(|| E::custom("the number is not finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Raw, E> {
        Ok(Raw::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(pair) = pairs.next_entry()? {
            map.push(pair);
        }
        Ok(Raw::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn tree(text: &str) -> Node {
        read(&"a.yaml".into(), text).unwrap()
    }

    #[test]
    fn every_key_and_value_has_its_place() {
        let node = tree("first: 1\ntests:\n  - vars: {q: 'x'}\n    assert: [a, b]\n");
        let tests = node.get("tests").unwrap();
        let Data::List(items) = &tests.data else {
            unreachable!("{tests:?}")
        };
        assert_eq!(items[0].place.to_string(), "a.yaml:3:5");
        assert_eq!(items[0].entries()[1].place.to_string(), "a.yaml:4:5");
        assert_eq!(items[0].get("assert").unwrap().place.to_string(), "a.yaml:4:13");
        assert_eq!(
            items[0].get("vars").unwrap().get("q").unwrap().place.to_string(),
            "a.yaml:3:15"
        );
    }

    #[test]
    fn values_are_those_of_yaml_1_2() {
        let text = "a: no\nb: true\nc: 010\nd: 1_000\ne: 2026-09-07\nf: ~\ng: 1.5\nh: '3'\ni: |\n  x\n  y\nj: 12\nk:\n";
        let expected = json!({"a": "no", "b": true, "c": "010", "d": "1_000", "e": "2026-09-07", "f": null, "g": 1.5,
                              "h": "3", "i": "x\ny\n", "j": 12, "k": null});
        assert_eq!(tree(text).json(), expected);
        assert_eq!(tree("").json(), Value::Null);
        assert_eq!(
            tree("{\"a\": [1, {\"b\": null}]}").json(),
            json!({"a": [1, {"b": null}]})
        );
    }

    #[test]
    fn what_is_no_yaml_or_goes_beyond_the_bounds_has_its_place() {
        let fault = |text: &str| read(&"a.yaml".into(), text).unwrap_err();
        let twice = fault("a: 1\na: 2\n");
        assert_eq!(
            (twice.place.to_string(), twice.twice.as_deref()),
            ("a.yaml:2:1".to_owned(), Some("a"))
        );
        assert_eq!(fault("a: [").twice, None);
        assert_eq!(fault("a:\n  - [1, 2\nb: 3\n").place.line, 3);
        let deep = format!("{}{}", "[".repeat(DEPTH_MAX + 5), "]".repeat(DEPTH_MAX + 5));
        assert!(!fault(&deep).why.is_empty() && !fault(&deep).has_more);
        let two = fault("a: 1\n---\nb: 2\n");
        assert!(two.has_more, "{two:?}");
        assert!(two.why.contains("more than one document"), "{two:?}");
        for malformed in [two, fault(&deep)] {
            assert!(!malformed.why.contains("breached"), "{malformed:?}");
        }
        let bomb = "a: &a [x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\n\
                    c: &c [*b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c]\n\
                    e: &e [*d, *d, *d, *d, *d, *d, *d, *d]\nf: &f [*e, *e, *e, *e, *e, *e, *e, *e]\n\
                    g: &g [*f, *f, *f, *f, *f, *f, *f, *f]\nh: [*g, *g, *g, *g, *g, *g, *g, *g]\n";
        assert!(!fault(bomb).why.is_empty());
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "\\PC*".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map("[a-z]{1,6}", inner, 0..6)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_json_is_read_as_it_is(value in value()) {
            prop_assert_eq!(tree(&value.to_string()).json(), value);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,60}|[-:\\[\\]{}&*!|>'\"%@`#, \\n\\ta-c0-9]{0,80}") {
            if let Err(malformed) = read(&"a.yaml".into(), &text) {
                prop_assert!(malformed.place.line >= 1 && malformed.place.column >= 1);
            }
        }
    }
}
