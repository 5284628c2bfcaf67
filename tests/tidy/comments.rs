//! Comments of production Rust are read by newcomers: a sentence of more than twenty words is two.

use crate::repository::{expect_none, files, text};
use crate::texts::is_test;
use std::collections::BTreeMap;

/// Words of one sentence. A code span or a link counts as one word.
const WORDS_MAX: usize = 20;

/// Longer sentences that are still to be split, for each crate. The numbers only ever get smaller. Every other crate has
/// none.
const STILL_LONG: [(&str, usize); 9] = [
    ("assistants", 9),
    ("executor", 2),
    ("executor/proto", 4),
    ("executor/worker", 11),
    ("schedule", 5),
    ("scheduler", 9),
    ("trials", 5),
    ("workflow", 15),
    ("workflow_runs", 24),
];

/// How a line of a comment begins, the longest first.
const MARKS: [&str; 3] = ["///", "//!", "//"];

/// Folders below which the sources of a crate lie.
const OF_SOURCES: [&str; 3] = ["/src/", "/build/", "/examples/"];

#[test]
fn long_sentences_of_comments_only_ever_get_fewer() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, _) in STILL_LONG {
        found.insert(name.to_owned(), Vec::new());
    }
    for name in files().iter().filter(|name| is_production(name)) {
        let text = text(name).unwrap_or_default();
        let long = long_sentences(&text).into_iter();
        let long = long.map(|(line, sentence)| format!("{name}:{line}: {sentence}"));
        found.entry(crate_of(name)).or_default().extend(long);
    }
    let known: BTreeMap<&str, usize> = STILL_LONG.into_iter().collect();
    let wrong = found.iter().filter_map(|(name, long)| {
        let most = known.get(name.as_str()).copied().unwrap_or_default();
        (long.len() != most).then(|| {
            let sentences = long.join("\n    ");
            format!("{name}: {most} are known, {} found\n    {sentences}", long.len())
        })
    });
    expect_none(
        "long sentences of comments are as many as are known",
        &wrong.collect::<Vec<_>>(),
    );
}

fn is_production(name: &str) -> bool {
    name.starts_with("src-tauri/") && name.ends_with(".rs") && !is_test(name)
}

/// The crate of a source: its folder, or the folder in which its build script lies.
fn crate_of(name: &str) -> String {
    let inside = name.strip_prefix("src-tauri/").unwrap_or(name);
    let of_sources = OF_SOURCES.iter().filter_map(|folder| inside.find(folder)).min();
    let end = of_sources.or_else(|| inside.rfind('/')).unwrap_or_default();
    inside[..end].to_owned()
}

/// Sentences of more than [`WORDS_MAX`] words, each with the line at which its paragraph begins.
fn long_sentences(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (line, paragraph) in paragraphs(text) {
        let words = words(&paragraph);
        let sentences = words.chunk_by(|word, next| !ends(word, next));
        let long = sentences.filter(|sentence| sentence.len() > WORDS_MAX);
        found.extend(long.map(|sentence| (line, sentence.join(" "))));
    }
    found
}

/// Paragraphs of the comments of a source without its tests, each with the line at which it begins. A list's items are
/// paragraphs of their own. Headings, tables and blocks of code are left out.
fn paragraphs(text: &str) -> Vec<(usize, String)> {
    let source = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
    let mut found: Vec<(usize, String)> = Vec::new();
    let (mut last, mut goes_on, mut in_code) = ("", false, false);
    for (index, line) in source.lines().enumerate() {
        let line = line.trim();
        // A line that ends with a backslash stands in a text in quotes.
        let is_comment = |mark: &&str| line.starts_with(*mark) && !line.ends_with('\\');
        let mark = MARKS.into_iter().find(is_comment).unwrap_or_default();
        let body = line[mark.len()..].trim();
        let is_fence = !mark.is_empty() && body.starts_with("```");
        in_code = (in_code && mark == last) != is_fence;
        let is_left_out = mark.is_empty() || in_code || is_fence || body.starts_with(['#', '|']);
        let is_prose = !is_left_out && !body.is_empty();
        if is_prose && goes_on && mark == last && !is_item(body) {
            if let Some((_, paragraph)) = found.last_mut() {
                paragraph.push(' ');
                paragraph.push_str(body);
            }
        } else if is_prose {
            found.push((index + 1, body.to_owned()));
        }
        (last, goes_on) = (mark, is_prose);
    }
    found
}

/// Whether a line begins an item of a list: behind a dash, a star or a number with a dot.
fn is_item(body: &str) -> bool {
    let Some((head, _)) = body.split_once(' ') else {
        return false;
    };
    let number = head.strip_suffix('.').unwrap_or_default();
    let is_numbered = !number.is_empty() && number.chars().all(|sign| sign.is_ascii_digit());
    is_numbered || matches!(head, "-" | "*")
}

/// Words of a paragraph. Dashes and other signs alone are none.
fn words(paragraph: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut closing, mut before) = (None, ' ');
    for sign in paragraph.chars() {
        if closing.is_none() && sign.is_whitespace() {
            words.push(std::mem::take(&mut word));
        } else {
            word.push(sign);
            closing = match closing {
                Some(end) if end == sign => None,
                Some(end) => Some(end),
                None => closing_of(sign, before),
            };
        }
        before = sign;
    }
    words.push(word);
    words.retain(|word| word.contains(char::is_alphanumeric));
    words
}

/// The sign that ends a code span, a link's text or its address, if `sign` begins one.
fn closing_of(sign: char, before: char) -> Option<char> {
    match sign {
        '`' => Some('`'),
        '[' => Some(']'),
        '(' if before == ']' => Some(')'),
        _ => None,
    }
}

/// Whether a sentence ends between two words.
fn ends(word: &str, next: &str) -> bool {
    let last = word.trim_end_matches([')', '"', '\'', '”', '*', '_']);
    let first = next.trim_start_matches(['(', '"', '\'', '“', '*', '_']);
    let first = first.chars().next();
    match last.chars().next_back() {
        Some('.' | '!' | '?') => first.is_none_or(|sign| !sign.is_lowercase()),
        Some(':') => first.is_some_and(char::is_uppercase),
        Some(_) | None => false,
    }
}

#[test]
fn sentences_are_told_apart_as_people_read_them() {
    let text = "//! One sentence. Two: three\n//! goes on. `a code span` is [a link](to it).\n//!\n\
                //! # Heading\n//! * An item.\n//! * Another: Item.\nfn code() {} // Left out.\n\
                /// ```\n/// let this = out;\n/// ```\n/// I.e. this – and no more\n// Another kind.\n\
                #[cfg(test)]\nmod tests {\n    // A test's.\n}\n";
    let told: Vec<(usize, usize)> = paragraphs(text)
        .iter()
        .flat_map(|(line, paragraph)| {
            let words = words(paragraph);
            let lengths = words
                .chunk_by(|word, next| !ends(word, next))
                .map(<[String]>::len);
            lengths.map(|length| (*line, length)).collect::<Vec<_>>()
        })
        .collect();
    let expected = [(1, 2), (1, 4), (1, 3), (5, 2), (6, 1), (6, 1), (11, 5), (12, 2)];
    assert_eq!(told, expected);
    assert_eq!(
        crate_of("src-tauri/executor/worker/src/main.rs"),
        "executor/worker"
    );
    assert_eq!(crate_of("src-tauri/executor/build.rs"), "executor");
}
