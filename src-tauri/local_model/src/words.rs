//! The last words of a server, and what they mean: why it ended.

use crate::limits::WORDS_BYTES_MAX;
use std::collections::VecDeque;

/// Characters of a line that is shown.
const LINE_CHARS_MAX: usize = 200;

/// The end of what a server printed.
#[derive(Debug, Default)]
pub struct Words(VecDeque<u8>);

impl Words {
    pub fn add(&mut self, bytes: &[u8]) {
        let last = &bytes[bytes.len().saturating_sub(WORDS_BYTES_MAX)..];
        let excess = (self.0.len() + last.len()).saturating_sub(WORDS_BYTES_MAX);
        self.0.drain(..excess);
        self.0.extend(last);
    }

    fn text(&self) -> String {
        let (front, back) = self.0.as_slices();
        String::from_utf8_lossy(&[front, back].concat()).into_owned()
    }

    /// Why it ended with `code`, the number by which a signal is told included.
    pub fn end(&self, code: Option<i32>) -> End {
        of(&self.text(), code)
    }
}

/// Why a server ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    Memory,
    /// It was built for a processor that this one is not.
    Processor,
    /// It doesn't know this kind of model.
    Architecture(String),
    /// It can't read the file.
    File,
    /// The system, or somebody, killed it.
    Killed,
    /// In its own words.
    Said(String),
    /// Without a word, with this code.
    Silent(Option<i32>),
}

/// What tells of too little memory, in small letters.
const MEMORY: [&str; 9] = [
    "out of memory",
    "outofdevicememory",
    "outofhostmemory",
    "cudamalloc failed",
    "failed to allocate",
    "unable to allocate",
    "cannot allocate memory",
    "bad_alloc",
    "insufficient memory",
];

/// What tells of a file that can't be read, in small letters.
const FILE: [&str; 4] = [
    "invalid magic",
    "failed to read magic",
    "error loading model",
    "failed to load model",
];

const KILLED: i32 = 137;
const ILLEGAL: i32 = 132;

fn of(text: &str, code: Option<i32>) -> End {
    let small = text.to_lowercase();
    let holds = |words: &[&str]| words.iter().any(|word| small.contains(word));
    if holds(&MEMORY) {
        return End::Memory;
    }
    if let Some(name) = architecture(text) {
        return End::Architecture(name);
    }
    if code == Some(ILLEGAL) {
        return End::Processor;
    }
    if holds(&FILE) {
        return End::File;
    }
    if code == Some(KILLED) {
        return End::Killed;
    }
    let complaints = ["error", "failed", "assert", "abort", "invalid", "terminate"];
    let lines = text.lines().rev().map(str::trim).filter(|line| !line.is_empty());
    let said = lines.clone().find(|line| {
        let line = line.to_lowercase();
        complaints.iter().any(|word| line.contains(word))
    });
    match said {
        Some(line) => End::Said(
            line.chars()
                .filter(|letter| !letter.is_control())
                .take(LINE_CHARS_MAX)
                .collect(),
        ),
        None => End::Silent(code),
    }
}

/// The kind of model that it names as unknown.
fn architecture(text: &str) -> Option<String> {
    let rest = text.split_once("unknown model architecture:")?.1;
    let name = rest.split('\'').nth(1).unwrap_or_default();
    Some(
        name.chars()
            .filter(|letter| letter.is_ascii_graphic())
            .take(40)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_ends_are_known_by_their_words_or_their_code() {
        let cases: [(&str, Option<i32>, End); 9] = [
            (
                "ggml_vulkan: Device memory allocation of size 1 failed.\nvk::Device::allocateMemory: ErrorOutOfDeviceMemory\n",
                Some(1),
                End::Memory,
            ),
            (
                "llama_kv_cache: failed to allocate buffer for kv cache\n",
                Some(1),
                End::Memory,
            ),
            (
                "llama_model_load: error loading model: unknown model architecture: 'qwen9'\n",
                Some(1),
                End::Architecture("qwen9".to_owned()),
            ),
            ("loading model 'x'\n", Some(132), End::Processor),
            ("gguf_init: invalid magic characters 'PK'\n", Some(1), End::File),
            ("loading\n", Some(137), End::Killed),
            (
                "error: invalid argument: --no-ui\nusage:\n",
                Some(1),
                End::Said("error: invalid argument: --no-ui".to_owned()),
            ),
            (
                "GGML_ASSERT(n > 0) failed\n",
                Some(134),
                End::Said("GGML_ASSERT(n > 0) failed".to_owned()),
            ),
            ("all well\n", Some(0), End::Silent(Some(0))),
        ];
        for (text, code, end) in cases {
            assert_eq!(of(text, code), end, "{text}");
        }
    }

    #[test]
    fn what_is_kept_of_words_is_their_end_and_bounded() {
        let mut words = Words::default();
        for number in 0..20_000 {
            words.add(format!("line {number}\n").as_bytes());
        }
        words.add(b"error: the last\n");
        assert!(words.0.len() <= WORDS_BYTES_MAX);
        assert_eq!(words.end(Some(1)), End::Said("error: the last".to_owned()));
        words.add(&[b'x'; 200_000]);
        assert_eq!(words.0.len(), WORDS_BYTES_MAX);
    }
}
