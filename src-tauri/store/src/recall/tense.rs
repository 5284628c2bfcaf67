//! The time that a question is about, by its words. Most questions ask for the present, some for the past, some for
//! the newest. The words also tell whether the question points at the page in front.

/// The tense of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tense {
    /// The question asks for the present state.
    Present,
    /// The question looks back: statements that ended answer, too.
    Past,
    /// The question asks for the newest of several statements that fit.
    Latest,
}

const PAST: &[&str] = &[
    "之前",
    "以前",
    "原来",
    "原先",
    "当时",
    "最早",
    "最初",
    "曾经",
    "一开始",
    "起初",
    "本来",
    "过去",
    "那会儿",
    "那时",
    "老的",
    "旧的",
    "上一版",
    "去年",
    "变过",
    "改过",
    "几次",
    "改之前",
];

const PAST_ENGLISH: &[&str] = &[
    "before",
    "previous",
    "previously",
    "earlier",
    "originally",
    "original",
    "initially",
    "initial",
    "formerly",
    "former",
    "old",
    "back",
    "history",
    "changed",
];

const LATEST: &[&str] = &["现在", "最新", "目前", "如今", "眼下", "最近", "这会儿"];

const LATEST_ENGLISH: &[&str] = &[
    "now",
    "latest",
    "current",
    "currently",
    "newest",
    "today",
    "nowadays",
    "recent",
    "recently",
];

const HERE: &[&str] = &[
    "这页",
    "这个页",
    "本页",
    "页面",
    "这里",
    "这儿",
    "上次",
    "上一次",
    "之前",
    "这个",
    "这篇",
    "这份",
];

const HERE_ENGLISH: &[&str] = &["here", "this", "page", "earlier", "before", "last"];

/// The tense of a question. "Now" wins over a past form: "what is it now that it was changed" asks for the present.
pub(crate) fn of(question: &str) -> Tense {
    let lower = question.to_lowercase();
    if holds(&lower, LATEST, LATEST_ENGLISH) {
        Tense::Latest
    } else if holds(&lower, PAST, PAST_ENGLISH) {
        Tense::Past
    } else {
        Tense::Present
    }
}

/// Whether it asks about the page in front.
pub(crate) fn points_here(question: &str) -> bool {
    holds(&question.to_lowercase(), HERE, HERE_ENGLISH)
}

fn holds(lower: &str, chinese: &[&str], english: &[&str]) -> bool {
    chinese.iter().any(|word| lower.contains(word))
        || lower
            .split(|character: char| !character.is_ascii_alphanumeric())
            .any(|word| english.contains(&word))
}
