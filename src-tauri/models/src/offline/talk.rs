//! Greetings, thanks, and the question about the planner's abilities.

use super::{Plan, words};
use shidi_locales::Language;

const GREETINGS: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "hi there",
    "hello there",
    "good morning",
    "good afternoon",
    "good evening",
    "help",
    "/help",
    "what can you do",
    "who are you",
    "what are you",
    "are you there",
    "are you a language model",
    "are you an ai",
    "hello shidi",
    "hi shidi",
    "hey shidi",
    "shidi",
    "what can you do for me",
    "what can i ask",
    "what can i ask you",
    "how do i use you",
    "你好",
    "您好",
    "你好啊",
    "你好呀",
    "嗨",
    "哈喽",
    "在吗",
    "在不在",
    "早上好",
    "下午好",
    "晚上好",
    "早",
    "帮助",
    "你是谁",
    "你是什么",
    "你会什么",
    "你能做什么",
    "你能做些什么",
    "你能干什么",
    "你可以做什么",
    "你有什么功能",
    "怎么用",
    "怎么用你",
    "师弟",
    "师弟你好",
    "你好师弟",
    "师弟在吗",
    "你是语言模型吗",
    "你是人工智能吗",
    "我能问你什么",
    "可以问你什么",
];

const THANKS: &[&str] = &[
    "thanks",
    "thank you",
    "thx",
    "thanks a lot",
    "thank you very much",
    "谢谢",
    "谢谢你",
    "多谢",
    "谢了",
    "感谢",
    "辛苦了",
];

/// The plan for small talk. `question` is half-width and lower-case.
pub(super) fn plan(question: &str, language: Language) -> Option<Plan> {
    let bare: String = question
        .trim_matches(['?', '!', '.', ',', '~', ' '])
        .replace(", ", " ")
        .replace(',', "");
    if THANKS.contains(&bare.as_str()) {
        return Some(Plan::Say(words::thanks(language).to_owned()));
    }
    GREETINGS
        .contains(&bare.as_str())
        .then(|| Plan::Say(words::greeting(language)))
}
