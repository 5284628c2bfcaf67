//! The subject of a statement, whether it says that something changed, and whether two say the same.

use super::{forms, places};

/// Words by which a statement says that something else was so before.
const CORRECTING: &[&str] = &[
    "改成",
    "改为",
    "改到",
    "改在",
    "改用",
    "更正",
    "纠正",
    "不再",
    "换成",
    "换到",
    "搬到",
    "搬去",
    "挪到",
    "现在是",
    "现在在",
    "现在用",
    "现在叫",
    "从今以后",
    "以后都",
    "其实是",
    "其实在",
    "应该是",
    "说错了",
    "记错了",
    "而不是",
    "已经是",
    "已经在",
    "变成",
    "从现在起",
    "从现在开始",
    "推迟到",
    "提前到",
    "延到",
    " now ",
    " no longer ",
    " changed to ",
    " instead of ",
    " moved to ",
    " correction",
    " actually ",
    " actually, ",
    " not any more",
    " anymore",
    " from now on",
    " was wrong",
    " renamed to ",
    " rescheduled to ",
    " postponed to ",
    " has become ",
    " switched to ",
    " replaced by ",
];

/// What joins a thing with what is said of it, with what kind of thing is said.
const JOINTS: &[(&str, Said)] = &[
    (" is now in ", Said::Place),
    (" is now at ", Said::Place),
    (" is now on ", Said::Place),
    (" is now under ", Said::Place),
    (" is now inside ", Said::Place),
    (" is now behind ", Said::Place),
    (" is now beside ", Said::Place),
    (" is now next to ", Said::Place),
    (" are now in ", Said::Place),
    (" are now at ", Said::Place),
    (" are now on ", Said::Place),
    (" are now under ", Said::Place),
    (" are now inside ", Said::Place),
    (" are now behind ", Said::Place),
    (" is now ", Said::Value),
    (" are now ", Said::Value),
    (" has changed to ", Said::Change),
    (" changed to ", Said::Change),
    (" has moved to ", Said::Change),
    (" moved to ", Said::Change),
    (" was moved to ", Said::Change),
    (" switched to ", Said::Change),
    (" was renamed to ", Said::Change),
    (" was rescheduled to ", Said::Change),
    (" was postponed to ", Said::Change),
    (" has become ", Said::Change),
    (" is no longer ", Said::Change),
    (" is in ", Said::Place),
    (" are in ", Said::Place),
    (" is at ", Said::Place),
    (" is on ", Said::Place),
    (" is under ", Said::Place),
    (" is inside ", Said::Place),
    (" is behind ", Said::Place),
    (" is beside ", Said::Place),
    (" is next to ", Said::Place),
    (" are at ", Said::Place),
    (" are on ", Said::Place),
    (" are under ", Said::Place),
    (" are inside ", Said::Place),
    (" are behind ", Said::Place),
    (" is actually ", Said::Value),
    (" is ", Said::Value),
    (" are ", Said::Value),
    (": ", Said::Value),
    (" = ", Said::Value),
    ("其实是", Said::Value),
    ("其实在", Said::Place),
    ("应该是", Said::Value),
    ("已经改成", Said::Change),
    ("改成", Said::Change),
    ("改为", Said::Change),
    ("改到", Said::Change),
    ("改在", Said::Change),
    ("改用", Said::Change),
    ("换成", Said::Change),
    ("换到", Said::Change),
    ("搬到", Said::Change),
    ("搬去", Said::Change),
    ("挪到", Said::Change),
    ("推迟到", Said::Change),
    ("提前到", Said::Change),
    ("变成", Said::Change),
    ("不再是", Said::Change),
    ("不再", Said::Change),
    ("位于", Said::Place),
    ("放在", Said::Place),
    ("放到", Said::Place),
    ("收在", Said::Place),
    ("藏在", Said::Place),
    ("锁在", Said::Place),
    ("停在", Said::Place),
    ("挂在", Said::Place),
    ("存放在", Said::Place),
    ("是", Said::Value),
    ("在", Said::Place),
    ("为", Said::Value),
    ("：", Said::Value),
];

/// The kind of a statement about a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Value,
    Place,
    /// Something else than before, of whatever kind.
    Change,
}

/// Characters of what a statement is about: more is a sentence, not a name.
pub const SUBJECT_CHARACTERS_MAX: usize = 30;

/// Things of which there are many under one name: nothing is known of them by it.
const TOO_GENERAL: &[&str] = &[
    "it", "this", "that", "there", "he", "she", "they", "we", "i", "you", "here", "one", "what", "这", "那",
    "它", "他", "她", "他们", "我", "你", "我们", "你们", "这里", "那里", "这个", "那个", "问题", "原因",
    "结果", "note", "todo", "ps",
];

/// Whether a statement says that something is no longer what it was.
#[must_use]
pub fn is_correction(text: &str) -> bool {
    let lower = format!(" {} ", text.to_lowercase());
    CORRECTING.iter().any(|word| lower.contains(word)) || places::is_changed(text)
}

/// How two statements stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// They are about different things, or different sides of one.
    Apart,
    Same,
    /// The same thing, and another value.
    Other,
}

/// Compares a new statement with a known one.
#[must_use]
pub fn same_thing(new: &str, known: &str) -> Relation {
    if normalised(new) == normalised(known) {
        return Relation::Same;
    }
    let (Some((about, said, value)), Some((known_about, known_said, known_value))) =
        (split(new), split(known))
    else {
        return Relation::Apart;
    };
    if about != known_about {
        return Relation::Apart;
    }
    if value == known_value {
        return Relation::Same;
    }
    match (said, known_said) {
        (Said::Change, _) | (_, Said::Change) => Relation::Other,
        (said, known) if said == known => Relation::Other,
        _ => Relation::Apart,
    }
}

/// What may stand before the name of a thing, in this order.
const OPENINGS: &str = "correction: |correction, |actually, |actually |by the way, |更正：|更正一下，|更正，|对了，|另外，|其实|the |our |my |我们的|我们|我的";

/// Words that end like a joint and are none.
const NO_JOINTS: &[&str] = &[
    "正在",
    "存在",
    "因为",
    "行为",
    "作为",
    "成为",
    "认为",
    "以为",
    "但是",
    "于是",
    "可是",
    "还是",
    "就是",
    "不是",
    "总是",
    "要是",
    "尤其是",
    "内在",
    "所在",
];

/// Thing, kind of what is said, and what is said.
fn split(text: &str) -> Option<(String, Said, String)> {
    let lower = text.to_lowercase().replace("现在", "");
    let (lower, is_own) = forms::words(OPENINGS).fold((lower.trim(), false), |(rest, is_own), opening| {
        match rest.strip_prefix(opening) {
            Some(rest) => (rest.trim_start(), is_own || opening.starts_with(['我', 'm', 'o'])),
            None => (rest.trim_start(), is_own),
        }
    });
    let is_joint = |end: usize| !NO_JOINTS.iter().any(|word| lower[..end].ends_with(word));
    // The first joint; of those that begin at the same place the longest.
    let (at, joint, said) = JOINTS
        .iter()
        .filter_map(|(joint, said)| {
            let mut places = lower.match_indices(joint).map(|(at, _)| at);
            Some((places.find(|at| is_joint(at + joint.len()))?, *joint, *said))
        })
        .min_by_key(|(at, joint, _)| (*at, std::cmp::Reverse(joint.len())))?;
    let about = name(&lower[..at]);
    // 我的车 names a thing with one character; 车 alone may be a part of any word.
    let least = if is_own { 1 } else { 2 };
    let is_name = (least..=SUBJECT_CHARACTERS_MAX).contains(&about.chars().count())
        && !TOO_GENERAL.contains(&about.as_str())
        && !about.contains([',', '，', '。', ';', '；']);
    let value = lower[at + joint.len()..].trim_start_matches('了');
    let value = normalised(value.strip_suffix(" now").unwrap_or(value));
    (is_name && !value.is_empty()).then_some((about, said, value))
}

/// A name without what may stand around it.
fn name(text: &str) -> String {
    let mut name = text.trim();
    for ending in [
        "已经",
        "从今以后",
        "以后",
        "的",
        "就",
        "都",
        " now",
        " has",
        " was",
    ] {
        name = name.strip_suffix(ending).unwrap_or(name).trim_end();
    }
    name.to_owned()
}

/// A text as it is compared: small letters and digits, no marks and no spaces.
#[must_use]
pub fn normalised(text: &str) -> String {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
