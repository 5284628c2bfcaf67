//! The words by which a text belongs to a question: English words without their endings, and pairs of Chinese
//! characters. No understanding is claimed.

use super::text::is_han;

/// Most words that are searched for.
const WORDS_MAX: usize = 24;
/// Longest word, in characters.
const WORD_CHARS_MAX: usize = 40;

/// Words that name the wanted kind of answer, and say nothing about its place.
const STOP: &[&str] = &[
    "a",
    "an",
    "and",
    "any",
    "anybody",
    "anything",
    "are",
    "about",
    "all",
    "as",
    "at",
    "attached",
    "be",
    "been",
    "by",
    "can",
    "contain",
    "contains",
    "could",
    "did",
    "do",
    "does",
    "document",
    "file",
    "files",
    "find",
    "for",
    "from",
    "give",
    "had",
    "has",
    "have",
    "he",
    "her",
    "his",
    "how",
    "i",
    "in",
    "is",
    "it",
    "its",
    "kept",
    "last",
    "line",
    "lines",
    "locate",
    "look",
    "many",
    "me",
    "mention",
    "mentioned",
    "mentions",
    "much",
    "my",
    "need",
    "of",
    "on",
    "or",
    "our",
    "please",
    "quote",
    "said",
    "say",
    "says",
    "search",
    "session",
    "she",
    "show",
    "so",
    "some",
    "something",
    "tell",
    "text",
    "than",
    "that",
    "the",
    "their",
    "them",
    "there",
    "they",
    "this",
    "to",
    "up",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "whom",
    "whose",
    "will",
    "with",
    "would",
    "you",
    "your",
    "note",
    "notes",
    "remember",
    "earlier",
    "did",
    "put",
    "stand",
    "stands",
    "written",
];

/// Chinese stop words, cut out of the text before the pairing; longer words stand before those that they contain.
const STOP_HAN: &[&str] = &[
    "在什么地方",
    "什么时候",
    "什么地方",
    "放在哪里",
    "放在哪儿",
    "放在哪",
    "在哪里",
    "在哪儿",
    "在哪",
    "哪里",
    "哪儿",
    "哪个",
    "哪些",
    "哪天",
    "哪年",
    "哪月",
    "是什么",
    "什么",
    "是谁",
    "是多少",
    "多少",
    "怎么",
    "是不是",
    "有没有",
    "是否",
    "几号",
    "几点",
    "几个",
    "文件里",
    "文件中",
    "文件",
    "文档里",
    "文档中",
    "文档",
    "附件里",
    "附件",
    "这个",
    "那个",
    "这份",
    "那份",
    "里面",
    "当中",
    "提到",
    "提及",
    "说到",
    "说了",
    "讲了",
    "写了",
    "写的",
    "说的",
    "讲的",
    "关于",
    "告诉我",
    "请问",
    "帮我",
    "查找",
    "查一下",
    "找一下",
    "搜索",
    "搜一下",
    "找出",
    "找到",
    "查查",
    "找找",
    "一下",
    "上次",
    "之前",
    "以前",
    "现在",
    "正在",
    "还记得",
    "记得",
    "我们",
    "你们",
    "他们",
];

/// Characters that join words and belong to none; a pair with such a character is no word.
const JOINING_HAN: &str = "的了吗呢吧啊呀我你他她它是在谁哪几请个这那把被就都也又";

/// The words to search for, each once, in the order of the question. `question` is half-width.
pub(super) fn keywords(question: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for run in runs(question) {
        let found = if run.chars().all(is_han) {
            pairs(&run)
        } else {
            vec![stem(&run)]
        };
        for word in found {
            let is_known = STOP.contains(&word.as_str()) || word.chars().count() > WORD_CHARS_MAX;
            if !word.is_empty() && !is_known && !words.contains(&word) {
                words.push(word);
            }
        }
    }
    // A single character stands in too many texts to tell them apart, unless the question has nothing else.
    if words.iter().any(|word| word.chars().count() > 1) {
        words.retain(|word| word.chars().count() > 1);
    }
    words.truncate(WORDS_MAX);
    words
}

/// A regular expression, for Rust and Python alike, that finds a word. An English word is found only at a word's
/// beginning.
pub(super) fn pattern(word: &str) -> String {
    let escaped = regex::escape(word);
    if word.starts_with(is_han) {
        escaped
    } else {
        format!("(?:^|[^a-z0-9]){escaped}")
    }
}

/// Runs of Chinese characters without their stop words, and runs of other letters and digits.
fn runs(question: &str) -> Vec<String> {
    let mut text = question.to_lowercase();
    for word in STOP_HAN {
        text = text.replace(word, " ");
    }
    let mut runs: Vec<String> = Vec::new();
    let mut current = String::new();
    for letter in text.chars() {
        let joins = letter.is_alphanumeric()
            || matches!(letter, '_' | '\'' | '-') && !current.is_empty() && !current.chars().all(is_han);
        let changes = current
            .chars()
            .last()
            .is_some_and(|last| is_han(last) != is_han(letter));
        if !joins || changes {
            runs.push(std::mem::take(&mut current));
        }
        if joins {
            current.push(letter);
        }
    }
    runs.push(current);
    runs.into_iter()
        .map(|run| run.trim_matches(['\'', '-', '_']).to_owned())
        .filter(|run| !run.is_empty())
        .collect()
}

fn pairs(run: &str) -> Vec<String> {
    let mut pairs = Vec::new();
    for part in run.split(|letter| JOINING_HAN.contains(letter)) {
        let letters: Vec<char> = part.chars().collect();
        match letters.as_slice() {
            [] => {}
            [_] | [_, _] => pairs.push(part.to_owned()),
            [_, _, ..] => pairs.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>())),
        }
    }
    pairs
}

/// An English word without possessive and plural ending; its beginning finds the whole word too.
fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    if word.len() <= 4 || !word.is_ascii() || word.ends_with("ss") {
        return word.to_owned();
    }
    let hissing = ["xes", "ses", "zes", "ches", "shes"]
        .iter()
        .any(|ending| word.ends_with(ending));
    let stem = if hissing {
        word.strip_suffix("es")
    } else {
        word.strip_suffix("ies").or_else(|| word.strip_suffix('s'))
    };
    stem.unwrap_or(word).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_remains_of_a_question_is_what_it_is_about() {
        for (question, expected) in [
            ("Where is my passport?", vec!["passport"]),
            ("我的护照在哪里？", vec!["护照"]),
            (
                "what does the contract say about notice periods",
                vec!["contract", "notice", "period"],
            ),
            ("文件里的付款期限是多少", vec!["付款", "款期", "期限"]),
            ("张三的生日是什么时候", vec!["张三", "生日"]),
            ("When is mum's birthday", vec!["mum", "birthday"]),
            ("find ERR-4012 in the log", vec!["err-4012", "log"]),
            (
                "where are taxes, invoices and parties",
                vec!["tax", "invoice", "part"],
            ),
            ("what does it say", vec![]),
            ("周五的会议几点开始", vec!["周五", "会议", "开始"]),
        ] {
            assert_eq!(keywords(question), expected, "{question}");
        }
    }
}
