//! The header of a GGUF file: the file's model, its size, and the cost of a token of context.
//!
//! Foreign files are read within bounds and held to be hostile. Every count is checked, and nothing is allocated
//! by a number of the file. Parts that are not needed are skipped. Weights are never read.

use crate::limits::{
    DEPTH_MAX, DIMENSIONS_MAX, ENTRIES_MAX, HEADER_BYTES_MAX, NAME_BYTES_MAX, NAME_CHARS_MAX, NUMBERS_MAX,
    TENSORS_MAX, TEXT_BYTES_MAX,
};
use shidi_protocol::is_unseen;
use std::collections::BTreeMap;
use std::io::{BufReader, ErrorKind, Read, Seek};
use std::path::Path;

const MAGIC: &[u8; 4] = b"GGUF";
/// Versions that differ in nothing that is read here.
const VERSIONS: [u32; 2] = [2, 3];
/// What the data of a file is aligned to where it doesn't say.
const ALIGNMENT: u64 = 32;
/// Bytes of a number in a context's cache.
const CACHED_BYTES: u64 = 2;

/// What a model file says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    pub architecture: String,
    pub name: Option<String>,
    /// Such as `Q4_K_M`.
    pub quantisation: Option<String>,
    pub parameters: u64,
    /// Tokens of context that the model was trained with.
    pub trained_context: Option<u32>,
    /// Bytes that each token of context takes, at most; models with windows or states take less.
    pub token_bytes: Option<u64>,
    /// Whether it says how a conversation is written for it.
    pub has_template: bool,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Why a file is no model that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    #[error("the file can't be read: {0}")]
    Unreadable(String),
    #[error("no GGUF file")]
    NotGguf,
    #[error("version {0} of the format is not known")]
    Version(u32),
    #[error("its header is broken: {0}")]
    Broken(&'static str),
    #[error("the file breaks off")]
    Incomplete,
    #[error("one of {0} parts")]
    Part(u32),
    #[error("no language model but {0}")]
    OtherKind(String),
}

type Step<T> = Result<T, HeaderError>;

/// Reads the header of the file at `path`.
///
/// # Errors
/// Why it is no model that can be used.
pub fn read(path: &Path) -> Step<Header> {
    let unreadable = |cause: std::io::Error| HeaderError::Unreadable(cause.to_string());
    // Looked at before it is opened: a pipe would wait for whoever writes.
    let facts = std::fs::metadata(path).map_err(unreadable)?;
    if !facts.is_file() {
        return Err(HeaderError::NotGguf);
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    read_from(file, facts.len())
}

/// Reads the header of a file of `bytes` bytes.
fn read_from(file: impl Read + Seek, bytes: u64) -> Step<Header> {
    let mut reader = Reader {
        inner: BufReader::with_capacity(64 * 1_024, file),
        at: 0,
        bytes,
    };
    let mut magic = [0; 4];
    reader.fill(&mut magic).map_err(|_| HeaderError::NotGguf)?;
    if &magic != MAGIC {
        return Err(HeaderError::NotGguf);
    }
    let version = reader.u32()?;
    if !VERSIONS.contains(&version) {
        return Err(HeaderError::Version(version));
    }
    let tensors = reader.count(TENSORS_MAX, "tensors")?;
    let entries = reader.count(ENTRIES_MAX, "entries")?;
    let mut known = Metadata::default();
    for _ in 0..entries {
        reader.entry(&mut known)?;
    }
    let (parameters, furthest) = reader.tensors(tensors)?;
    let alignment = known.number("general.alignment").unwrap_or(ALIGNMENT).max(1);
    let data = reader.at.div_ceil(alignment).saturating_mul(alignment);
    if tensors > 0 && data.saturating_add(furthest) >= bytes {
        return Err(HeaderError::Incomplete);
    }
    known.header(parameters, bytes)
}

/// The kinds of values, with the bytes of those of fixed size.
fn fixed_bytes(kind: u32) -> Option<u64> {
    match kind {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

const TEXT: u32 = 8;
const LIST: u32 = 9;

struct Reader<R> {
    inner: BufReader<R>,
    at: u64,
    /// Of the whole file.
    bytes: u64,
}

impl<R: Read + Seek> Reader<R> {
    fn advance(&mut self, by: u64) -> Step<()> {
        self.at = self.at.saturating_add(by);
        match self.at {
            at if at > self.bytes => Err(HeaderError::Incomplete),
            at if at > HEADER_BYTES_MAX => Err(HeaderError::Broken("it is too long")),
            _ => Ok(()),
        }
    }

    fn fill(&mut self, into: &mut [u8]) -> Step<()> {
        self.advance(into.len() as u64)?;
        self.inner.read_exact(into).map_err(|cause| match cause.kind() {
            ErrorKind::UnexpectedEof => HeaderError::Incomplete,
            _ => HeaderError::Unreadable(cause.to_string()),
        })
    }

    fn skip(&mut self, count: u64) -> Step<()> {
        self.advance(count)?;
        let by = i64::try_from(count).map_err(|_| HeaderError::Incomplete)?;
        let moved = self.inner.seek_relative(by);
        moved.map_err(|cause| HeaderError::Unreadable(cause.to_string()))
    }

    fn u32(&mut self) -> Step<u32> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn u64(&mut self) -> Step<u64> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn count(&mut self, most: u64, what: &'static str) -> Step<u64> {
        let count = self.u64()?;
        (count <= most).then_some(count).ok_or(HeaderError::Broken(what))
    }

    /// A text of at most `most` bytes; a longer one is skipped and is `None`.
    fn text(&mut self, most: u64) -> Step<Option<String>> {
        let length = self.u64()?;
        let kept = usize::try_from(length).ok().filter(|_| length <= most);
        let Some(length_kept) = kept else {
            self.skip(length)?;
            return Ok(None);
        };
        let mut bytes = vec![0; length_kept];
        self.fill(&mut bytes)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn entry(&mut self, known: &mut Metadata) -> Step<()> {
        let name = self.text(NAME_BYTES_MAX)?;
        let name = name.ok_or(HeaderError::Broken("a name is too long"))?;
        let kind = self.u32()?;
        if kind == TEXT {
            let text = self.text(TEXT_BYTES_MAX)?;
            known.put(name, Value::Text(text.unwrap_or_default()));
        } else if kind == LIST {
            let numbers = self.list(name.ends_with(".attention.head_count_kv"), 0)?;
            known.put(name, Value::Sum(numbers));
        } else if let Some(number) = self.number(kind)? {
            known.put(name, Value::Number(number));
        }
        Ok(())
    }

    /// A whole number of any size, or nothing for one that is none.
    fn number(&mut self, kind: u32) -> Step<Option<u64>> {
        let size = fixed_bytes(kind).ok_or(HeaderError::Broken("a value of an unknown kind"))?;
        let mut bytes = [0; 8];
        let place = usize::try_from(size).map_or(8, |size| size.min(8));
        self.fill(&mut bytes[..place])?;
        let is_fraction = matches!(kind, 6 | 12);
        Ok((!is_fraction).then(|| u64::from_le_bytes(bytes)))
    }

    /// Passes a list; returns the sum of its numbers where they are wanted.
    fn list(&mut self, is_wanted: bool, depth: u32) -> Step<u64> {
        let kind = self.u32()?;
        let length = self.u64()?;
        if let Some(size) = fixed_bytes(kind) {
            if !is_wanted || length > NUMBERS_MAX {
                self.skip(length.saturating_mul(size))?;
                return Ok(0);
            }
            let mut sum = 0_u64;
            for _ in 0..length {
                sum = sum.saturating_add(self.number(kind)?.unwrap_or_default());
            }
            return Ok(sum);
        }
        if depth >= DEPTH_MAX || !matches!(kind, TEXT | LIST) {
            return Err(HeaderError::Broken("a list of an unknown kind"));
        }
        // Each turn takes bytes of the file, whose number is bounded.
        for _ in 0..length {
            match kind {
                TEXT => {
                    let skipped = self.u64()?;
                    self.skip(skipped)?;
                }
                _ => {
                    self.list(false, depth + 1)?;
                }
            }
        }
        Ok(0)
    }

    /// The parameters of all tensors, and where the furthest one begins in the data.
    fn tensors(&mut self, count: u64) -> Step<(u64, u64)> {
        let (mut parameters, mut furthest) = (0_u64, 0_u64);
        for _ in 0..count {
            self.text(NAME_BYTES_MAX)?;
            let dimensions = self.u32()?;
            if dimensions > DIMENSIONS_MAX {
                return Err(HeaderError::Broken("a tensor has too many dimensions"));
            }
            let mut size = 1_u64;
            for _ in 0..dimensions {
                size = size.saturating_mul(self.u64()?);
            }
            self.u32()?;
            parameters = parameters.saturating_add(size);
            furthest = furthest.max(self.u64()?);
        }
        Ok((parameters, furthest))
    }
}

enum Value {
    Text(String),
    Number(u64),
    /// Of a list of numbers.
    Sum(u64),
}

#[derive(Default)]
struct Metadata(BTreeMap<String, Value>);

impl Metadata {
    /// Only what is asked for later is kept.
    fn put(&mut self, name: String, value: Value) {
        const WANTED: [&str; 15] = [
            "general.architecture",
            "general.type",
            "general.name",
            "general.file_type",
            "general.alignment",
            "split.count",
            "tokenizer.chat_template",
            ".context_length",
            ".block_count",
            ".embedding_length",
            ".attention.head_count",
            ".attention.head_count_kv",
            ".attention.key_length",
            ".attention.value_length",
            ".pooling_type",
        ];
        if WANTED.iter().any(|wanted| name.ends_with(wanted)) {
            self.0.insert(name, value);
        }
    }

    fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            Value::Text(text) => Some(text.as_str()),
            Value::Number(_) | Value::Sum(_) => None,
        }
    }

    fn number(&self, name: &str) -> Option<u64> {
        match self.0.get(name)? {
            Value::Number(number) => Some(*number),
            Value::Text(_) | Value::Sum(_) => None,
        }
    }

    fn header(&self, parameters: u64, bytes: u64) -> Step<Header> {
        let architecture = self.text("general.architecture").unwrap_or_default();
        let architecture = plain(architecture);
        if architecture.is_empty() {
            return Err(HeaderError::Broken("it names no architecture"));
        }
        if let Some(parts) = self.number("split.count").filter(|parts| *parts > 1) {
            return Err(HeaderError::Part(u32::try_from(parts).unwrap_or(u32::MAX)));
        }
        let kind = self.text("general.type").unwrap_or("model");
        if kind != "model" {
            return Err(HeaderError::OtherKind(plain(kind)));
        }
        if architecture == "clip" || self.number(&format!("{architecture}.pooling_type")).is_some() {
            return Err(HeaderError::OtherKind(architecture));
        }
        let trained = self.number(&format!("{architecture}.context_length"));
        let name = self.text("general.name").map(plain);
        Ok(Header {
            name: name.filter(|name| !name.is_empty()),
            quantisation: self.number("general.file_type").and_then(quantisation),
            parameters,
            trained_context: trained
                .and_then(|tokens| u32::try_from(tokens).ok())
                .filter(|tokens| *tokens > 0),
            token_bytes: self.token_bytes(&architecture),
            has_template: self.0.contains_key("tokenizer.chat_template"),
            architecture,
            bytes,
        })
    }

    /// Keys and values of all layers for one token.
    fn token_bytes(&self, architecture: &str) -> Option<u64> {
        let of = |name: &str| self.number(&format!("{architecture}.{name}"));
        let layers = of("block_count")?;
        let heads = of("attention.head_count").filter(|heads| *heads > 0);
        let all = match self.0.get(&format!("{architecture}.attention.head_count_kv")) {
            Some(Value::Sum(sum)) => *sum,
            Some(Value::Number(each)) => layers.saturating_mul(*each),
            Some(Value::Text(_)) | None => layers.saturating_mul(heads?),
        };
        let width = || Some(of("embedding_length")? / heads?);
        let keys = of("attention.key_length").or_else(width)?;
        let values = of("attention.value_length").or_else(width)?;
        Some(
            all.saturating_mul(keys.saturating_add(values))
                .saturating_mul(CACHED_BYTES),
        )
    }
}

/// One line of text that can be shown.
fn plain(text: &str) -> String {
    let shown = text
        .chars()
        .filter(|letter| !letter.is_control() && !is_unseen(*letter));
    let line: String = shown.take(NAME_CHARS_MAX).collect();
    line.trim().to_owned()
}

/// The usual name of a file's kind of weights.
fn quantisation(kind: u64) -> Option<String> {
    let name = match kind {
        0 => "F32",
        1 => "F16",
        2 => "Q4_0",
        3 => "Q4_1",
        7 => "Q8_0",
        8 => "Q5_0",
        9 => "Q5_1",
        10 => "Q2_K",
        11 => "Q3_K_S",
        12 => "Q3_K_M",
        13 => "Q3_K_L",
        14 => "Q4_K_S",
        15 => "Q4_K_M",
        16 => "Q5_K_S",
        17 => "Q5_K_M",
        18 => "Q6_K",
        19 => "IQ2_XXS",
        20 => "IQ2_XS",
        21 => "Q2_K_S",
        22 => "IQ3_XS",
        23 => "IQ3_XXS",
        24 => "IQ1_S",
        25 => "IQ4_NL",
        26 => "IQ3_S",
        27 => "IQ3_M",
        28 => "IQ2_S",
        29 => "IQ2_M",
        30 => "IQ4_XS",
        31 => "IQ1_M",
        32 => "BF16",
        36 => "TQ1_0",
        37 => "TQ2_0",
        38 => "MXFP4",
        _ => return None,
    };
    Some(name.to_owned())
}

#[cfg(test)]
pub(crate) mod tests;
