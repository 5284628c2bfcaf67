//! Brings a question into one shape, the only one that the parsers know: half-width, single spaces, no
//! politeness around it. The typed text is kept beside it, for notes and programs.

/// Longest question that is read, in bytes: a longer text is a document, not a question.
const QUESTION_BYTES_MAX: usize = 4_000;

/// Half-width characters, typographic operators as plain ones, single spaces; case is kept.
pub(super) fn half_width(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\u{3000}' | '\u{a0}' | '\t' | '\n' | '\r' => plain.push(' '),
            '！'..='～' => plain.push(char::from_u32(u32::from(letter) - 0xFEE0).unwrap_or(letter)),
            '×' | '✕' | '✖' | '∗' | '⋅' => plain.push('*'),
            '÷' | '∕' => plain.push('/'),
            '−' | '–' | '﹣' => plain.push('-'),
            '²' => plain.push_str("^2"),
            '³' => plain.push_str("^3"),
            '℃' => plain.push_str("°C"),
            '℉' => plain.push_str("°F"),
            '。' => plain.push('.'),
            '“' | '”' | '「' | '」' => plain.push('"'),
            '‘' | '’' => plain.push('\''),
            other => plain.push(other),
        }
    }
    plain
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A half-width, lower-case question without the greeting, request and question words around it. `None` when
/// the text is too long for a question.
pub(super) fn core(question: &str) -> Option<String> {
    if question.len() > QUESTION_BYTES_MAX {
        return None;
    }
    let mut core = question.trim();
    loop {
        let before = core.len();
        core = strip(core);
        if core.len() == before {
            return Some(core.to_owned());
        }
    }
}

/// A string as Python writes it.
pub(super) fn python_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether a character is written without spaces between words.
pub(super) fn is_han(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// English leads must end at a word's end; of leads with the same beginning, the longest stands first.
const LEADS: &[&str] = &[
    "hey shidi",
    "shidi",
    "please",
    "pls",
    "can you please",
    "can you",
    "could you please",
    "could you",
    "would you",
    "tell me",
    "i want to know",
    "i need to know",
    "do you know",
    "calculate",
    "compute",
    "evaluate",
    "work out",
    "figure out",
    "what is the result of",
    "what is the value of",
    "what is",
    "what's",
    "whats",
    "what are",
    "what does",
    "how much is",
    "how much are",
    "how much does",
];

const LEADS_HAN: &[&str] = &[
    "师弟",
    "请问一下",
    "请问",
    "请你",
    "请",
    "麻烦你",
    "麻烦",
    "帮我",
    "帮忙",
    "给我",
    "你能",
    "能不能",
    "可以",
    "告诉我",
    "我想知道",
    "我要知道",
    "计算一下",
    "计算下",
    "计算",
    "算一下",
    "算下",
    "算算",
    "算一算",
    "算出",
    "算",
    "求",
    "问一下",
    "问下",
    "那么",
    "那",
];

const TAILS: &[&str] = &["please", "thanks", "thank you", "equal to", "equals", "equal"];

const TAILS_HAN: &[&str] = &[
    "的结果是多少",
    "结果是多少",
    "的值是多少",
    "的结果",
    "的值",
    "等于多少",
    "等于几",
    "是多少",
    "是几",
    "得多少",
    "得几",
    "是多少钱",
    "多少钱",
    "多少",
    "等于",
    "谢谢",
    "吧",
    "呢",
    "啊",
    "呀",
];

const PUNCTUATION: &[char] = &['?', '!', '.', ',', ':', ';', '=', '~', '"', ' '];

fn strip(core: &str) -> &str {
    let core = core
        .trim_end_matches(PUNCTUATION)
        .trim_start_matches([',', ':', '=', '"', ' ']);
    let is_end = |rest: &str| {
        rest.chars()
            .next()
            .is_none_or(|next| !next.is_alphanumeric() || is_han(next))
    };
    if let Some(rest) = LEADS
        .iter()
        .filter_map(|lead| core.strip_prefix(lead))
        .find(|rest| is_end(rest))
    {
        return rest;
    }
    if let Some(rest) = LEADS_HAN.iter().find_map(|lead| core.strip_prefix(lead)) {
        return rest;
    }
    let is_start = |rest: &str| rest.ends_with([' ', ',']);
    if let Some(rest) = TAILS
        .iter()
        .filter_map(|tail| core.strip_suffix(tail))
        .find(|rest| is_start(rest))
    {
        return rest;
    }
    TAILS_HAN
        .iter()
        .find_map(|tail| core.strip_suffix(tail))
        .unwrap_or(core)
}
