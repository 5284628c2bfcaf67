//! Promises of the header: a real file's facts, and one clear reason for every file that is none.

use super::*;
use proptest::prelude::*;
use std::io::Cursor;

/// Writes a file as a converter does.
#[derive(Default)]
pub(crate) struct File {
    entries: Vec<u8>,
    count: u64,
    tensors: Vec<u8>,
    tensor_count: u64,
}

impl File {
    fn name(bytes: &mut Vec<u8>, name: &str) {
        bytes.extend((name.len() as u64).to_le_bytes());
        bytes.extend(name.as_bytes());
    }

    fn entry(mut self, name: &str, kind: u32, value: &[u8]) -> Self {
        Self::name(&mut self.entries, name);
        self.entries.extend(kind.to_le_bytes());
        self.entries.extend(value);
        self.count += 1;
        self
    }

    pub(crate) fn text(self, name: &str, text: &str) -> Self {
        let mut value = Vec::new();
        Self::name(&mut value, text);
        self.entry(name, TEXT, &value)
    }

    pub(crate) fn number(self, name: &str, number: u32) -> Self {
        self.entry(name, 4, &number.to_le_bytes())
    }

    fn texts(self, name: &str, texts: &[&str]) -> Self {
        let mut value = TEXT.to_le_bytes().to_vec();
        value.extend((texts.len() as u64).to_le_bytes());
        texts.iter().for_each(|text| Self::name(&mut value, text));
        self.entry(name, LIST, &value)
    }

    pub(crate) fn tensor(mut self, name: &str, dimensions: &[u64], offset: u64) -> Self {
        Self::name(&mut self.tensors, name);
        self.tensors.extend((dimensions.len() as u32).to_le_bytes());
        dimensions
            .iter()
            .for_each(|size| self.tensors.extend(size.to_le_bytes()));
        self.tensors.extend(0_u32.to_le_bytes());
        self.tensors.extend(offset.to_le_bytes());
        self.tensor_count += 1;
        self
    }

    pub(crate) fn bytes(&self, data: usize) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(3_u32.to_le_bytes());
        bytes.extend(self.tensor_count.to_le_bytes());
        bytes.extend(self.count.to_le_bytes());
        bytes.extend(&self.entries);
        bytes.extend(&self.tensors);
        bytes.resize(bytes.len() + data, 0);
        bytes
    }
}

/// A small model with two layers.
pub(crate) fn small() -> File {
    File::default()
        .text("general.architecture", "qwen2")
        .text("general.name", "Small\u{202e} one")
        .number("general.file_type", 15)
        .number("qwen2.context_length", 32_768)
        .number("qwen2.block_count", 2)
        .number("qwen2.embedding_length", 64)
        .number("qwen2.attention.head_count", 8)
        .number("qwen2.attention.head_count_kv", 2)
        .texts("tokenizer.ggml.tokens", &["a", "b", "", "the"])
        .text("tokenizer.chat_template", &"{% for %}".repeat(400))
        .tensor("output.weight", &[64, 100], 0)
        .tensor("norm", &[64], 512)
}

fn of(bytes: &[u8]) -> Step<Header> {
    read_from(Cursor::new(bytes), bytes.len() as u64)
}

#[test]
fn a_models_facts_are_read_and_its_name_is_one_visible_line() {
    let bytes = small().bytes(1_024);
    let header = of(&bytes).unwrap();
    let expected = Header {
        architecture: "qwen2".to_owned(),
        name: Some("Small one".to_owned()),
        quantisation: Some("Q4_K_M".to_owned()),
        parameters: 6_464,
        trained_context: Some(32_768),
        // Two layers of two heads with eight numbers each, for keys and for values.
        token_bytes: Some(2 * 2 * (8 + 8) * 2),
        has_template: true,
        bytes: bytes.len() as u64,
    };
    assert_eq!(header, expected);
}

#[test]
fn layers_that_differ_are_summed_up() {
    let mut value = 4_u32.to_le_bytes().to_vec();
    value.extend(2_u64.to_le_bytes());
    value.extend(3_u32.to_le_bytes());
    value.extend(0_u32.to_le_bytes());
    let file = File::default()
        .text("general.architecture", "gemma4")
        .number("gemma4.block_count", 2)
        .number("gemma4.attention.key_length", 16)
        .number("gemma4.attention.value_length", 8)
        .entry("gemma4.attention.head_count_kv", LIST, &value);
    assert_eq!(of(&file.bytes(0)).unwrap().token_bytes, Some(3 * 24 * 2));
}

#[test]
fn every_other_file_has_its_reason() {
    let whole = small().bytes(1_024);
    let version = [MAGIC.as_slice(), &9_u32.to_le_bytes(), &[0; 64]].concat();
    let many = [MAGIC.as_slice(), &3_u32.to_le_bytes(), &[0xff; 64]].concat();
    let part = File::default()
        .text("general.architecture", "qwen2")
        .number("split.count", 3);
    let eyes = File::default().text("general.architecture", "clip");
    let adapter = small().text("general.type", "adapter");
    let vectors = small().number("qwen2.pooling_type", 1);
    let cases: [(&[u8], HeaderError); 11] = [
        (b"", HeaderError::NotGguf),
        (b"PK\x03\x04", HeaderError::NotGguf),
        (b"<!doctype html>", HeaderError::NotGguf),
        (&version, HeaderError::Version(9)),
        (&many, HeaderError::Broken("tensors")),
        (&whole[..whole.len() - 1_000], HeaderError::Incomplete),
        (&whole[..200], HeaderError::Incomplete),
        (&part.bytes(0), HeaderError::Part(3)),
        (&eyes.bytes(0), HeaderError::OtherKind("clip".to_owned())),
        (
            &adapter.bytes(1_024),
            HeaderError::OtherKind("adapter".to_owned()),
        ),
        (&vectors.bytes(1_024), HeaderError::OtherKind("qwen2".to_owned())),
    ];
    for (bytes, reason) in cases {
        assert_eq!(of(bytes), Err(reason));
    }
    let nameless = File::default().number("general.file_type", 1).bytes(0);
    assert_eq!(
        of(&nameless),
        Err(HeaderError::Broken("it names no architecture"))
    );
}

#[test]
fn lists_that_claim_to_be_endless_end_with_the_file() {
    for kind in [0_u32, 4, 8, 9, 12, 77] {
        let mut value = kind.to_le_bytes().to_vec();
        value.extend(u64::MAX.to_le_bytes());
        let bytes = File::default().entry("x", LIST, &value).bytes(10_000);
        assert!(of(&bytes).is_err(), "{kind}");
    }
}

#[test]
fn lists_within_lists_are_bounded() {
    let mut value = Vec::new();
    for _ in 0..100_000 {
        value.extend(LIST.to_le_bytes());
        value.extend(1_u64.to_le_bytes());
    }
    let bytes = File::default().entry("x", LIST, &value).bytes(64);
    assert_eq!(of(&bytes), Err(HeaderError::Broken("a list of an unknown kind")));
}

proptest! {
    #[test]
    fn whatever_a_file_holds_it_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let after_magic = [MAGIC.as_slice(), &3_u32.to_le_bytes(), &bytes].concat();
        drop((of(&bytes), of(&after_magic)));
    }

    /// A file whose bytes were changed anywhere is read as something or refused, and never believed to be larger.
    #[test]
    fn a_damaged_file_is_read_or_refused(changes in prop::collection::vec((0_usize..900, any::<u8>()), 1..6), cut in 0_usize..2_000) {
        let mut bytes = small().bytes(1_024);
        for (at, to) in changes {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = to;
            }
        }
        bytes.truncate(bytes.len().saturating_sub(cut));
        if let Ok(header) = of(&bytes) {
            prop_assert!(header.bytes == bytes.len() as u64);
            prop_assert!(header.architecture.chars().count() <= NAME_CHARS_MAX);
        }
    }
}
