//! Remembering and recalling: notes that the user told Shidi to keep, and texts of earlier sessions.
//!
//! A recalled text is quoted with its source and date; the reader judges whether it answers the question.

use super::keywords::{keywords, pattern};
use super::text::python_string;
use super::{Plan, words};
use shidi_locales::Language;

/// Longest note, in characters.
const NOTE_CHARS_MAX: usize = 2_000;
/// Texts that the memory is asked for, and texts that are shown.
const HITS_ASKED: usize = 12;
const HITS_SHOWN: usize = 5;

const REMEMBER: &[&str] = &[
    "please remember that ",
    "please remember: ",
    "please remember ",
    "remember that ",
    "remember: ",
    "remember, ",
    "remember ",
    "note that ",
    "note: ",
    "make a note that ",
    "make a note: ",
    "take a note: ",
    "keep in mind that ",
    "请帮我记住",
    "请你记住",
    "请记住",
    "请记一下",
    "帮我记住",
    "帮我记一下",
    "帮我记下来",
    "帮我记下",
    "帮我记着",
    "你要记住",
    "记住了",
    "记住",
    "记一下",
    "记下来",
    "记下",
    "记着",
    "备忘",
    "记个笔记",
];

/// Beginnings that sound like a wish to remember and mean another thing. They begin a question, or a promise that
/// needs a clock.
const NOT_REMEMBER: &[&str] = &[
    "remember when",
    "remember what",
    "remember where",
    "remember who",
    "remember how",
    "remember to ",
];

/// The plan that keeps a note. `cased` is half-width with its case, `typed` is the user's unchanged text.
pub(super) fn remember(cased: &str, typed: &str, language: Language) -> Option<Plan> {
    let lower = cased.to_lowercase();
    if lower.ends_with('?') || NOT_REMEMBER.iter().any(|words| lower.starts_with(words)) {
        return None;
    }
    let lead = REMEMBER.iter().find(|lead| lower.starts_with(**lead))?;
    let note = after_lead(typed, lead.chars().count());
    if ["me", "this", "that", "it", "我", "密码", "这个", "它"].contains(&note.as_str()) {
        return None; // Nobody knows what was meant.
    }
    if note.chars().count() < 2 || note.chars().count() > NOTE_CHARS_MAX {
        return None;
    }
    let text = python_string(&note);
    let said = format!("{} + {text}", python_string(language.planner().remembered()));
    let program = format!("await memory.remember(text={text})\nawait user.say(text={said})");
    Some(Plan::Run {
        thought: language.planner().thought_remember().to_owned(),
        program,
    })
}

/// The typed text after the lead. The lead has as many characters in both texts, spaces aside.
fn after_lead(typed: &str, lead_chars: usize) -> String {
    let typed = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    let rest: String = typed.chars().skip(lead_chars).collect();
    rest.trim_start_matches([':', '：', ',', '，', ' ', '\u{3000}'])
        .trim_end()
        .to_owned()
}

/// Beginnings of questions that earlier notes may answer.
const ASKS: &[&str] = &[
    "where ",
    "where's ",
    "what ",
    "what's ",
    "when ",
    "when's ",
    "who ",
    "who's ",
    "whose ",
    "which ",
    "do you remember ",
    "did i ",
    "have i ",
    "find ",
    "search my notes for ",
    "search for ",
    "look up ",
    "recall ",
    "how many ",
    "how much ",
    "remember when",
    "remember what",
    "remember where",
    "remember who",
];

const ASKS_HAN: &[&str] = &[
    "哪",
    "什么",
    "谁",
    "多少",
    "几号",
    "几点",
    "几岁",
    "几个",
    "几楼",
    "还记得",
    "记得",
    "上次",
    "查找",
    "查一下",
    "找一下",
    "搜索",
    "搜一下",
    "是不是",
    "有没有",
];

/// Requests that no quotation answers.
const NEEDS_UNDERSTANDING: &[&str] = &[
    "why ",
    "how do ",
    "how to ",
    "how can ",
    "how does ",
    "how should ",
    "explain ",
    "write ",
    "draft ",
    "translate ",
    "summarize ",
    "summarise ",
    "compare ",
    "should ",
    "help me ",
    "create ",
    "generate ",
    "improve ",
    "rewrite ",
    "fix ",
    "plan ",
    "suggest ",
    "recommend ",
    "为什么",
    "怎么",
    "如何",
    "解释",
    "翻译",
    "总结",
    "概括",
    "归纳",
    "写一",
    "写个",
    "写篇",
    "帮我写",
    "润色",
    "改写",
    "比较",
    "分析",
    "推荐",
    "建议",
    "生成",
    "设计",
    "提醒我",
    "讲个",
    "讲一个",
    "说说",
    "评价",
    "什么意思",
];

/// Whether only somebody who understands the question can answer it. `question` is half-width and lower-case.
pub(super) fn needs_understanding(question: &str) -> bool {
    let question = [
        "please ",
        "can you ",
        "could you ",
        "请你",
        "请",
        "能不能",
        "你能",
        "帮我",
    ]
    .iter()
    .fold(question, |rest, lead| rest.strip_prefix(lead).unwrap_or(rest));
    let is_han = |words: &str| words.chars().any(super::text::is_han);
    NEEDS_UNDERSTANDING.iter().any(|words| {
        if is_han(words) {
            question.contains(words)
        } else {
            question.starts_with(words)
        }
    })
}

/// Whether a question asks for something that a note or session may hold.
pub(super) fn is_recall(question: &str) -> bool {
    ASKS.iter().any(|words| question.starts_with(words))
        || ASKS_HAN.iter().any(|words| question.contains(words))
}

/// The plan that quotes notes and earlier sessions. `cased` is half-width.
pub(super) fn recall(cased: &str, typed: &str, language: Language) -> Option<Plan> {
    let lower = cased.to_lowercase();
    if needs_understanding(&lower) || !is_recall(&lower) {
        return None;
    }
    let words = keywords(cased);
    if words.is_empty() {
        return None;
    }
    let list = words
        .iter()
        .map(|word| python_string(&pattern(word)))
        .collect::<Vec<_>>()
        .join(", ");
    let own = words::own_marks()
        .iter()
        .map(|mark| python_string(mark))
        .collect::<Vec<_>>()
        .join(", ");
    let program = format!(
        "import re\n\
         words = [{list}]\n\
         own = [{own}]\n\
         texts = []\n\
         lines = []\n\
         for hit in (await memory.search(text={search}, limit={HITS_ASKED})).data:\n\
         \x20   text = hit[\"text\"].strip()\n\
         \x20   present = [word for word in words if re.search(word, text.lower())]\n\
         \x20   known = any([part in text for part in own + texts])\n\
         \x20   asked = text == {question} or text.endswith((\"?\", \"？\"))\n\
         \x20   if not known and not asked and len(present) * 2 >= len(words):\n\
         \x20       texts.append(text)\n\
         \x20       lines.append(\"- \" + text[:300] + {open} + str(hit.get(\"source\", \"\")) + \", \" + str(hit.get(\"time\", \"\"))[:10] + {close})\n\
         if lines:\n\
         \x20   await user.say(text={found} + \"\\n\\n\" + \"\\n\".join(lines[:{HITS_SHOWN}]))\n\
         else:\n\
         \x20   await user.say(text={missing})",
        search = python_string(&words.join(" ")),
        question = python_string(typed.trim()),
        open = python_string(language.planner().bracket_open()),
        close = python_string(language.planner().bracket_close()),
        found = python_string(words::found_in_notes(language)),
        missing = python_string(&words::nothing_in_notes(language)),
    );
    Some(Plan::Run {
        thought: language.planner().thought_recall().to_owned(),
        program,
    })
}
