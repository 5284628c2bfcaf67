//! Questions about days, in the sentences in which people ask them. A sentence counts only as a whole.

use super::day::Day;
use regex::Regex;
use std::sync::OnceLock;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    /// The time now.
    Now,
    /// Which date and weekday a day is.
    Which(Day),
    Until(Day, Span),
    Since(Day, Span),
    Between(Day, Day, Span),
}

/// The unit in which a distance is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Span {
    Days,
    Weeks,
}

const NOW: &[&str] = &[
    "what time is it",
    "what time is it now",
    "what time is it right now",
    "what is the date and time",
    "what's the date and time",
    "current date and time",
    "date and time",
    "现在几点钟了",
    "现在是什么时候",
    "现在的日期和时间",
    "what's the time",
    "what is the time",
    "what's the time now",
    "what is the time now",
    "current time",
    "time now",
    "what is the current time",
    "what's the current time",
    "几点了",
    "现在几点",
    "现在几点了",
    "现在是几点",
    "现在时间",
    "现在是什么时间",
    "现在什么时间",
    "当前时间",
    "现在的时间",
    "现在的时间是几点",
    "几点钟了",
    "现在几点钟",
    "什么时间了",
    "现在是几点钟",
];

/// Reads a question; `whole` still holds the question words, `core` has none.
pub(super) fn read(whole: &str, core: &str) -> Option<Question> {
    let plain = [
        "please tell me ",
        "tell me ",
        "can you tell me ",
        "请问",
        "请告诉我",
        "告诉我",
    ]
    .iter()
    .find_map(|word| whole.strip_prefix(word))
    .unwrap_or(whole)
    .trim_start_matches([' ', ',']);
    if NOW.contains(&plain) {
        return Some(Question::Now);
    }
    distance(plain)
        .or_else(|| distance(core))
        .or_else(|| which(plain))
        .or_else(|| which(core))
        .or_else(|| moved(core))
}

fn distance(text: &str) -> Option<Question> {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        let count = r"(?:(?:how many|number of|the number of) )?(?P<span>days|weeks)(?: (?:are there|are|is it|is there|were there|lie|left|remain|remaining))*";
        let han = r"(?:一共|总共|共|相隔|相差|相距|间隔|隔|差|有|是|还有|,| )*(?:多少|几)个?(?P<span>天|周|星期|礼拜)";
        compiled(&[
            &format!(r"^{count} between (?P<from>.+?) and (?P<to>.+)$"),
            &format!(r"^{count} from (?P<from>.+?) (?:to|until|till) (?P<to>.+)$"),
            &format!(r"^{count} (?:until|till|to|before) (?P<until>.+)$"),
            r"^how (?:long|far) (?:is it )?(?:until|till) (?P<until>.+)$",
            &format!(r"^{count}(?: (?:has it been|have passed|passed|have gone by))* since (?P<since>.+)$"),
            &format!(r"^(?:从|自)?(?P<from>.+?)(?:到|至)(?P<to>.+?)(?:之间|期间)?{han}$"),
            &format!(r"^(?P<from>.+?)(?:和|与|跟)(?P<to>.+?)(?:之间)?{han}$"),
            r"^(?:距离|距|离|到)(?P<until>.+?)(?:还有|还剩下|还剩|还差|还要|剩下|有|剩)(?:多少|几)个?(?P<span>天|周|星期|礼拜)$",
            r"^(?P<until>.+?)还有(?:多少|几)个?(?P<span>天|周|星期|礼拜)(?:到|才到)?$",
            r"^(?:从)?(?P<since>.+?)(?:距今|到今天|至今|到现在|距离今天|离今天|离现在)(?:已经|过去|过|有|了|是)*(?:多少|几)个?(?P<span>天|周|星期|礼拜)了?$",
            r"^(?:从)?(?P<since>.+?)(?:已经)?过去?了?(?:多少|几)个?(?P<span>天|周|星期|礼拜)了?$",
        ])
    });
    patterns
        .iter()
        .filter_map(|pattern| pattern.captures(text))
        .find_map(|found| {
            let span = match found.name("span").map(|span| span.as_str()) {
                Some("weeks" | "周" | "星期" | "礼拜") => Span::Weeks,
                _ => Span::Days,
            };
            let day = |name: &str| Day::read(found.name(name)?.as_str());
            if found.name("until").is_some() {
                return Some(Question::Until(day("until")?, span));
            }
            if found.name("since").is_some() {
                return Some(Question::Since(day("since")?, span));
            }
            Some(Question::Between(day("from")?, day("to")?, span))
        })
}

fn which(text: &str) -> Option<Question> {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        let be = r"(?:is it|was it|will it be|is|was|will be|does|will)";
        compiled(&[
            &format!(r"^(?:what|which) (?:day|weekday|date)(?: of the week| of the month)? {be}(?: on)? (?P<day>.+?)(?: be| fall on| fall)?$"),
            &format!(r"^(?:on )?(?:what|which) (?:day|weekday)(?: of the week)? {be} (?P<day>.+?)(?: be| fall on| fall)?$"),
            r"^(?:what is|what's|what was) the (?:day|date|weekday)(?: of the week)?(?: on| of)? (?P<day>.+)$",
            r"^(?:the )?(?:day|date|weekday)(?: of the week)? (?:on |of )?(?P<day>.+)$",
            r"^(?P<day>.+?) (?:is|was) (?:what|which) (?:day|weekday)(?: of the week)?$",
            r"^(?P<day>.+?)(?:那天|这天)?(?:又|会)?(?:是|为)? ?(?:星期几|周几|礼拜几|几号|几月几号|几月几日|几日|哪天|哪一天|什么日子|什么日期|几月几号星期几|几号星期几)$",
            r"^(?P<day>.+?)的?(?:日期|星期)$",
            r"^when(?: is|'s| was| will be) (?P<day>.+)$",
            r"^(?:what is |what's )?(?P<day>.+?)'s (?:date|day|weekday)$",
            r"^what(?: is|'s) (?P<day>today|tomorrow)$",
        ])
    });
    if [
        "what day is it",
        "what is the date",
        "what's the date",
        "what date is it",
        "what is the day",
        "date",
        "几号了",
        "星期几",
        "几号",
        "今天几号了",
        "what day of the week is it",
    ]
    .contains(&text)
    {
        return Some(Question::Which(Day::Today(0)));
    }
    patterns
        .iter()
        .filter_map(|pattern| pattern.captures(text))
        .find_map(|found| Some(Question::Which(Day::read(&found["day"])?)))
}

/// A day moved from another, which is a question by itself: `45 days from now`, `3月5日加10天`.
fn moved(core: &str) -> Option<Question> {
    match Day::read(core)? {
        day @ Day::Shifted { .. } => Some(Question::Which(day)),
        Day::Today(_) | Day::Fixed { .. } | Day::Weekday { .. } | Day::OfMonth { .. } => None,
    }
}

fn compiled(patterns: &[&str]) -> Vec<Regex> {
    patterns
        .iter()
        .filter_map(|pattern| Regex::new(pattern).ok())
        .collect()
}
