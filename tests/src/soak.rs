//! How much of a promise is tried: a little in `make test`, all of it in `make soak`, which sets `SHIDI_SOAK`. A long one can
//! be tried in parts: `SHIDI_SOAK_PART=2/4` is the second of four.

use std::ops::Range;

/// Whether the large numbers are wanted.
#[must_use]
pub fn is_wanted() -> bool {
    std::env::var_os("SHIDI_SOAK").is_some()
}

/// Which of so many cases this process tries: all, or its part of them.
///
/// # Panics
/// When `SHIDI_SOAK_PART` is no part.
#[must_use]
pub fn part_of(cases: usize) -> Range<usize> {
    let Ok(text) = std::env::var("SHIDI_SOAK_PART") else {
        return 0..cases;
    };
    let numbers = text
        .split_once('/')
        .and_then(|(part, parts)| Some((part.parse::<usize>().ok()?, parts.parse::<usize>().ok()?)));
    match numbers {
        Some((part, parts)) if part > 0 && part <= parts => cases * (part - 1) / parts..cases * part / parts,
        _ => panic!("SHIDI_SOAK_PART is {text:?}; it is to be like 2/4"),
    }
}
